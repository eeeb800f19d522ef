import { useEffect, useRef } from 'react'
import { Select } from '../../../components/select/select.tsx'
import type { Session } from '../../../lib/session/session.tsx'

interface OrganizationSelectProps {
  organizations: Session['organizations']
  value: number | undefined
  onChange: (idOrganization: number) => void
}

/** For people who belong to several organizations. */
export function OrganizationSelect({ organizations, value, onChange }: OrganizationSelectProps) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [])
  return (
    <Select
      ref={button}
      label="Select organization"
      value={value ?? 0}
      options={organizations.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={onChange}
    />
  )
}
