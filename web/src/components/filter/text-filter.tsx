import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from 'react'
import { firstCharacters } from '../../lib/forms/first-characters.ts'
import { FilterBox, filterControl } from './filter-box.tsx'

interface TextFilterProps {
  /** Names the filter for screen readers: "ID". */
  label: string
  placeholder: string
  value: string
  onChange: (value: string) => void
  maxLength: number
  ref?: Ref<HTMLInputElement> | undefined
}

const debounce = 250

/** A text filter, debounced: reports its value when typing pauses. */
export function TextFilter({ label, placeholder, value, onChange, maxLength, ref }: TextFilterProps) {
  const [text, setText] = useState(value)
  const reported = useRef(value)
  const input = useRef<HTMLInputElement>(null)
  useImperativeHandle(ref, () => input.current as HTMLInputElement, [])
  const report = useEffectEvent((wanted: string) => {
    if (wanted === reported.current) return
    reported.current = wanted
    onChange(wanted)
  })
  useEffect(() => {
    const timer = setTimeout(() => report(text), text === '' ? 0 : debounce)
    return () => clearTimeout(timer)
  }, [text])
  // Also shows what came from a loaded view or an opened address.
  useEffect(() => {
    if (value === reported.current) return
    reported.current = value
    setText(value)
  }, [value])
  const isSet = text.trim() !== ''
  return (
    <FilterBox
      label={label}
      isSet={isSet}
      onClear={() => {
        setText('')
        input.current?.focus()
      }}
    >
      <input
        ref={input}
        value={text}
        onChange={event => setText(firstCharacters(event.target.value, maxLength))}
        onKeyDown={event => {
          if (event.nativeEvent.isComposing) return
          if (event.key === 'Enter') report(text)
          if (event.key === 'Escape' && text) {
            event.stopPropagation()
            setText('')
          }
        }}
        placeholder={placeholder}
        aria-label={`Filter ${label}`}
        spellCheck={false}
        autoComplete="off"
        {...filterControl(isSet)}
      />
    </FilterBox>
  )
}
