import { styled } from '@mui/material/styles'

const tick = `url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M3.5 8.5l3 3 6-6.5' fill='none' stroke='white' stroke-width='2' stroke-linecap='round' stroke-linejoin='round'/%3E%3C/svg%3E")`
const dash = `url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M4 8h8' stroke='white' stroke-width='2' stroke-linecap='round'/%3E%3C/svg%3E")`

const Input = styled('input')(({ theme: { vars } }) => ({
  appearance: 'none',
  flex: 'none',
  width: 16,
  height: 16,
  margin: 0,
  borderRadius: 4,
  border: `1.5px solid ${vars.palette.text.disabled}`,
  backgroundColor: vars.palette.background.paper,
  cursor: 'pointer',
  '&:checked': { border: 0, background: `#4f46e5 ${tick} center / 16px no-repeat` },
  '&:indeterminate': { border: 0, background: `#4f46e5 ${dash} center / 16px no-repeat` },
  '&:focus-visible': { outline: `2px solid ${vars.palette.primary.main}`, outlineOffset: 2 },
  '&:disabled': { cursor: 'not-allowed', opacity: 0.5 },
  '@media (forced-colors: active)': { appearance: 'auto' },
}))
const Target = styled('label')({ display: 'inline-grid', placeItems: 'center', width: 28, height: 28, verticalAlign: 'middle' })

interface CheckBoxProps {
  label: string
  checked: boolean
  indeterminate?: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}

/** A check box for the cells of tables: as light as the browser's own, with room to hit it. */
export function CheckBox({ label, checked, indeterminate = false, disabled = false, onChange }: CheckBoxProps) {
  return (
    <Target onClick={event => event.stopPropagation()}>
      <Input
        type="checkbox"
        aria-label={label}
        checked={checked}
        disabled={disabled}
        ref={element => {
          if (element) element.indeterminate = indeterminate
        }}
        onChange={event => onChange(event.target.checked)}
      />
    </Target>
  )
}
