import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import { type Ref, useEffect, useEffectEvent, useRef, useState } from 'react'
import { CloseIcon } from './icons.tsx'

interface TextFilterProps {
  /** Names the filter for screen readers: "ID". */
  label: string
  placeholder: string
  value: string
  onChange: (value: string) => void
  maxLength: number
  inputRef?: Ref<HTMLInputElement>
}

const patience = 250

/** A filter that is typed: it tells what is wanted when the typing rests. */
export function TextFilter({ label, placeholder, value, onChange, maxLength, inputRef }: TextFilterProps) {
  const [text, setText] = useState(value)
  const told = useRef(value)
  const input = useRef<HTMLInputElement | null>(null)
  const tell = useEffectEvent((wanted: string) => {
    if (wanted === told.current) return
    told.current = wanted
    onChange(wanted)
  })
  useEffect(() => {
    const timer = setTimeout(() => tell(text), text === '' ? 0 : patience)
    return () => clearTimeout(timer)
  }, [text])
  // A view that was loaded or an address that was opened shows here as well.
  useEffect(() => {
    if (value === told.current) return
    told.current = value
    setText(value)
  }, [value])
  const isSet = text.trim() !== ''
  return (
    <Box sx={{ position: 'relative', minWidth: 0 }}>
      <Box
        component="input"
        ref={(element: HTMLInputElement | null) => {
          input.current = element
          if (typeof inputRef === 'function') inputRef(element)
          else if (inputRef) inputRef.current = element
        }}
        value={text}
        onChange={event => setText(event.target.value)}
        onKeyDown={event => {
          if (event.key === 'Enter') tell(text)
          if (event.key === 'Escape' && text) {
            event.stopPropagation()
            setText('')
          }
        }}
        placeholder={placeholder}
        aria-label={`Filter ${label}`}
        maxLength={maxLength}
        spellCheck={false}
        autoComplete="off"
        sx={{
          width: '100%',
          height: 28,
          pl: 1,
          pr: isSet ? 3.5 : 1,
          border: 1,
          borderRadius: '7px',
          borderColor: isSet ? 'primary.main' : 'divider',
          bgcolor: isSet ? 'soft' : 'background.default',
          color: isSet ? 'primary.main' : 'text.primary',
          font: 'inherit',
          fontSize: 12.5,
          fontWeight: isSet ? 500 : 400,
          '&::placeholder': { color: 'text.secondary', opacity: 1 },
          '&:focus': { outline: 2, outlineColor: 'primary.main', outlineOffset: 1 },
        }}
      />
      {isSet && (
        <IconButton
          size="small"
          aria-label={`Clear ${label}`}
          onClick={() => {
            setText('')
            input.current?.focus()
          }}
          sx={{ position: 'absolute', right: 2, top: 2, color: 'primary.main' }}
        >
          <CloseIcon fontSize="small" />
        </IconButton>
      )}
    </Box>
  )
}
