import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import type { Session } from '../../lib/session.tsx'

interface OrganizationSelectProps {
  organizations: Session['organizations']
  value: number | undefined
  onChange: (idOrganization: number) => void
}

/** Asked of whoever belongs to several organizations. */
export function OrganizationSelect({ organizations, value, onChange }: OrganizationSelectProps) {
  return (
    <TextField select autoFocus label="Select organization" value={value ?? ''} onChange={event => onChange(Number(event.target.value))}>
      {organizations.map(({ id, name }) => (
        <MenuItem key={id} value={id}>
          {name}
        </MenuItem>
      ))}
    </TextField>
  )
}
