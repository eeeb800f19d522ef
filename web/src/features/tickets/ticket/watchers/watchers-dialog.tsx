import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getProjectUserList } from '@tessera/contract/tickets/assignees'
import { getTicketData } from '@tessera/contract/tickets/tickets'
import { setTicketWatcher } from '@tessera/contract/tickets/watchers'
import { useState } from 'react'
import { LabeledCheckBox } from '../../../../components/check-box/check-box.tsx'
import { PlainDialog } from '../../../../components/dialog/plain-dialog.tsx'
import { LoadProblem } from '../../../../components/empty-state/load-problem.tsx'
import { Skeleton } from '../../../../components/skeleton/skeleton.tsx'
import { TextField } from '../../../../components/text-field/text-field.tsx'
import { notify } from '../../../../components/toaster/toaster.tsx'
import { TypedStatus } from '../../../../components/visually-hidden/typed-status.tsx'
import { callQuery } from '../../../../lib/calls/api.ts'
import { useTicketMutation } from '../../../../lib/calls/mutations/use-ticket-mutation.ts'
import { formatNumber } from '../../../../lib/display/format.ts'
import { bestMatches } from '../../../../lib/forms/best-matches.ts'
import { useSending } from '../../../../lib/forms/use-sending.ts'
import type { Ticket } from '../../ticket.ts'
import styles from './watchers-dialog.module.css'

/** Maximum number of rows; everybody else is found by searching. */
const shownAtMost = 30

/** Who watches the ticket; each tick is stored at once, as the bell is. */
export function WatchersDialog({ ticket, onClose }: { ticket: Ticket; onClose: () => void }) {
  const { idTicket } = ticket
  const users = useQuery(callQuery(getProjectUserList, { idTicket, Recent: 1 }))
  const set = useTicketMutation(setTicketWatcher, ticket)
  const queries = useQueryClient()
  const [sent, through] = useSending()
  // The order stays while boxes are ticked.
  const [first] = useState(ticket.Watchers)
  const [search, setSearch] = useState('')

  const people = [
    ...first.map(({ idUser, Name }) => ({ id: idUser, text: Name })),
    ...(users.data ?? []).filter(user => !first.some(({ idUser }) => idUser === user.id)),
  ]
  const isOn = (idUser: number) => sent(String(idUser)) ?? ticket.Watchers.some(watcher => watcher.idUser === idUser)
  const toggle = (idUser: number, Name: string, on: boolean) =>
    through(String(idUser), on, async () => {
      try {
        await set.mutateAsync({ idTicket, idUser, Watch: on ? 1 : 0 })
        queries.setQueryData(callQuery(getTicketData, { idTicket }).queryKey, now => {
          const others = now?.Watchers.filter(watcher => watcher.idUser !== idUser) ?? []
          return now && { ...now, Watchers: on ? [...others, { idUser, Name }] : others }
        })
      } catch (problem) {
        notify.failure(problem as Error)
      }
    })
  const matching = bestMatches(people, ({ text }) => text, search)
  const shown = matching.slice(0, shownAtMost)
  return (
    <PlainDialog title="Watchers" maxWidth="xs" className={styles.content} onClose={onClose}>
      <p className={styles.note}>Watchers get emails about changes to this ticket.</p>
      <TextField
        label="Search"
        type="search"
        autoFocus
        autoComplete="off"
        value={search}
        onChange={({ target }) => setSearch(target.value)}
      />
      <LoadProblem of={[users]} />
      {users.isPending && <Skeleton height={96} />}
      <div>
        <ul aria-label="People">
          {shown.map(person => (
            <li key={person.id}>
              <LabeledCheckBox
                label={person.text}
                checked={isOn(person.id)}
                onChange={event => void toggle(person.id, person.text, event.target.checked)}
              />
            </li>
          ))}
        </ul>
        <div role="status">
          {users.isSuccess && matching.length === 0 && <p className={styles.note}>Nobody here is called “{search.trim()}”.</p>}
          {matching.length > shown.length && (
            <p className={styles.note}>{formatNumber(matching.length - shown.length)} more: search for a name.</p>
          )}
        </div>
      </div>
      <TypedStatus>{search.trim() !== '' && matching.length > 0 ? `${formatNumber(matching.length)} found` : ''}</TypedStatus>
    </PlainDialog>
  )
}
