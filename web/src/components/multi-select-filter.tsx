import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import IconButton from '@mui/material/IconButton'
import { type ReactNode, useId, useRef, useState } from 'react'
import { CloseIcon } from './icons.tsx'
import { Menu } from './menu.tsx'

interface MultiSelectFilterProps<Value extends string | number> {
  /** Names the filter for screen readers: "Phase". */
  label: string
  options: readonly { value: Value; label: string; mark?: ReactNode; detail?: string | undefined }[]
  value: readonly Value[]
  onChange: (value: Value[]) => void
  onOpen?: () => void
  /** What it reads while nothing is chosen. */
  placeholder?: string
}

export function MultiSelectFilter<Value extends string | number>(props: MultiSelectFilterProps<Value>) {
  const { label, options, value, onChange, onOpen, placeholder = 'All' } = props
  const [isOpen, setOpen] = useState(false)
  const anchor = useRef<HTMLButtonElement>(null)
  const id = useId()
  const isSet = value.length > 0
  const chosen = options.filter(option => value.includes(option.value))
  const text = chosen.map(option => option.label).join(', ') || (isSet ? `${value.length} chosen` : placeholder)
  const toggle = (option: Value) => onChange(value.includes(option) ? value.filter(other => other !== option) : [...value, option])
  return (
    <Box sx={{ position: 'relative', minWidth: 0 }}>
      <ButtonBase
        ref={anchor}
        onClick={() => {
          setOpen(true)
          onOpen?.()
        }}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-label={`${label}: ${text}`}
        sx={{
          width: '100%',
          height: 28,
          pl: 1,
          pr: isSet ? 3.5 : 1,
          border: 1,
          borderRadius: '7px',
          borderColor: isSet ? 'primary.main' : 'divider',
          bgcolor: isSet ? 'soft' : 'background.default',
          color: isSet ? 'primary.main' : 'text.secondary',
          fontFamily: 'inherit',
          fontSize: 12.5,
          fontWeight: isSet ? 500 : 400,
          justifyContent: 'flex-start',
          '&.Mui-focusVisible': { outline: 2, outlineColor: 'primary.main', outlineOffset: 1 },
        }}
      >
        <Box component="span" sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
          {text}
        </Box>
      </ButtonBase>
      {isSet && (
        <IconButton
          size="small"
          aria-label={`Clear ${label}`}
          onClick={() => {
            onChange([])
            anchor.current?.focus()
          }}
          sx={{ position: 'absolute', right: 2, top: 2, color: 'primary.main' }}
        >
          <CloseIcon fontSize="small" />
        </IconButton>
      )}
      <Menu
        id={id}
        label={label}
        anchor={anchor}
        open={isOpen}
        onClose={() => setOpen(false)}
        multiple={options.length > 0}
        choices={
          options.length === 0
            ? [{ key: 'none', label: 'No items available', isDisabled: true }]
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
    </Box>
  )
}
