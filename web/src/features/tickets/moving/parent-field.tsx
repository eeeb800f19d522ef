import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type QueriedTicket, queryTickets } from '@tessera/contract/tickets/tickets'
import { useState } from 'react'
import { Autocomplete } from '../../../components/autocomplete/autocomplete.tsx'
import { callQuery } from '../../../lib/calls/api.ts'
import { useDebounced } from '../../../lib/state/use-debounced.ts'
import styles from './parent-field.module.css'

export interface ParentChoice {
  /** 0 is the top of the project. */
  id: number
  /** The value of the field when it is chosen. */
  text: string
  Title: string
  Path?: { id: number; Title: string }[] | undefined
}
const top: ParentChoice = { id: 0, text: 'At the top, without a parent', Title: 'At the top, without a parent' }

/** The search waits until nothing was typed for this long, in milliseconds. */
const pause = 250

interface ParentFieldProps {
  idProject: number
  pcode: string
  value: ParentChoice | null
  onChange: (value: ParentChoice | null) => void
  /** Whether the top of the project may be chosen. */
  hasTop: boolean
  /** Tickets that cannot be the parent. */
  isExcluded?: (ticket: QueriedTicket) => boolean
}

/** Chooses a parent: a ticket, found by searching, or the top of the project. */
export function ParentField({ idProject, pcode, value, onChange, hasTop, isExcluded = () => false }: ParentFieldProps) {
  const [text, setText] = useState('')
  const wanted = useDebounced(text.trim(), pause)
  // The text of the chosen ticket is not something to search for.
  const asked = wanted === value?.text ? '' : wanted
  const isCode = new RegExp(`^(${pcode}-?)?\\d+$`, 'i').test(asked)
  const found = useQuery({
    ...callQuery(queryTickets, { idProject, Limit: 20, Phases: [1, 2, 3], ...(asked && (isCode ? { Id: asked } : { Title: asked })) }),
    placeholderData: keepPreviousData,
  })
  const tickets: ParentChoice[] = (found.data?.Tickets ?? [])
    .filter(ticket => !isExcluded(ticket))
    .map(({ id, Title, Path }) => ({ id, text: `${pcode}-${id} ${Title}`, Title, Path }))
  return (
    <Autocomplete
      label="New parent"
      placeholder="Search by ID or description"
      options={hasTop && !asked ? [top, ...tickets] : tickets}
      value={value}
      onChange={onChange}
      text={text}
      onTextChange={setText}
      loading={wanted !== text.trim() || found.isFetching}
      emptyText="No ticket matches"
      renderOption={({ id, Title, Path }) => (
        <div className={styles.place}>
          <div className={styles.name}>
            {id > 0 && (
              <span className={styles.code}>
                {pcode}-{id}
              </span>
            )}
            {Title}
          </div>
          {Path && Path.length > 0 && <div className={styles.path}>in {Path.map(step => step.Title).join(' › ')}</div>}
        </div>
      )}
    />
  )
}
