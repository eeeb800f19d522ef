import type { UseQueryResult } from '@tanstack/react-query'
import { messages } from '@tessera/contract/messages'
import { type ReactNode, useId } from 'react'
import { Menu } from '../menu/menu.tsx'
import { useMenu } from '../menu/use-menu.ts'
import { FilterBox, filterControl } from './filter-box.tsx'

interface MultiSelectFilterProps<Value extends string | number> {
  /** Names the filter for screen readers: "Phase". */
  label: string
  options: readonly { value: Value; label: string; mark?: ReactNode; detail?: string | undefined }[]
  /** What the options come from. */
  list?: Pick<UseQueryResult, 'data' | 'error'>
  value: readonly Value[]
  onChange: (value: Value[]) => void
  onOpen?: () => void
  /** The text shown while nothing is chosen. */
  placeholder?: string
}

export function MultiSelectFilter<Value extends string | number>(props: MultiSelectFilterProps<Value>) {
  const { label, options, list, value, onChange, onOpen, placeholder = 'All' } = props
  const { isOpen, open, button, menu } = useMenu()
  const id = useId()
  const isSet = value.length > 0
  const chosen = options.filter(option => value.includes(option.value))
  const text = chosen.map(option => option.label).join(', ') || (isSet ? `${value.length} chosen` : placeholder)
  const remark = list && !list.data ? (list.error?.message ?? 'Loading…') : messages.noItems
  const toggle = (option: Value) => onChange(value.includes(option) ? value.filter(other => other !== option) : [...value, option])
  return (
    <FilterBox
      label={label}
      isSet={isSet}
      onClear={() => {
        onChange([])
        button.ref.current?.focus()
      }}
    >
      <button
        type="button"
        {...button}
        onClick={() => {
          open()
          onOpen?.()
        }}
        aria-controls={isOpen ? id : undefined}
        aria-label={`${label}: ${text}`}
        {...filterControl(isSet)}
      >
        {text}
      </button>
      <Menu
        id={id}
        label={label}
        {...menu}
        multiple={options.length > 0}
        choices={
          options.length === 0
            ? [{ key: 'none', label: remark, isDisabled: true }]
            : options.map(option => ({
                key: option.value,
                label: option.label,
                icon: option.mark,
                detail: option.detail,
                isChosen: value.includes(option.value),
                onChoose: () => toggle(option.value),
              }))
        }
      />
    </FilterBox>
  )
}
