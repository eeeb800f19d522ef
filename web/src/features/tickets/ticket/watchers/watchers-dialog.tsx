import { useQuery } from '@tanstack/react-query'
import { getProjectUserList } from '@tessera/contract/tickets/assignees'
import { setTicketWatcher } from '@tessera/contract/tickets/watchers'
import { useId, useState } from 'react'
import { Button } from '../../../../components/button/button.tsx'
import { LabelledCheckBox } from '../../../../components/check-box/check-box.tsx'
import { Dialog, DialogActions, DialogContent, DialogTitle } from '../../../../components/dialog/dialog.tsx'
import { LoadProblem } from '../../../../components/empty-state/load-problem.tsx'
import { Skeleton } from '../../../../components/skeleton/skeleton.tsx'
import { TextField } from '../../../../components/text-field/text-field.tsx'
import { notify } from '../../../../components/toaster/toaster.tsx'
import { callQuery, useCallMutation } from '../../../../lib/calls/api.ts'
import { formatNumber } from '../../../../lib/display/format.ts'
import type { Ticket } from '../../ticket.ts'
import styles from './watchers-dialog.module.css'

/** Maximum number of rows; everybody else is found by searching. */
const shownAtMost = 30

/** Who watches the ticket; each tick is stored at once, as the bell is. */
export function WatchersDialog({ ticket, onClose }: { ticket: Ticket; onClose: () => void }) {
  const { idTicket } = ticket
  const users = useQuery(callQuery(getProjectUserList, { idTicket, Recent: 1 }))
  const set = useCallMutation(setTicketWatcher)
  /** What was ticked here, until the ticket has been loaded again. */
  const [asked, ask] = useState<ReadonlyMap<number, 0 | 1>>(new Map())
  // The order stays while boxes are ticked.
  const [first] = useState(ticket.Watchers)
  const [search, setSearch] = useState('')
  const id = useId()

  const people = [
    ...first.map(({ idUser, Name }) => ({ id: idUser, text: Name })),
    ...(users.data ?? []).filter(user => !first.some(({ idUser }) => idUser === user.id)),
  ]
  const isOn = (idUser: number) => (asked.get(idUser) ?? (ticket.Watchers.some(watcher => watcher.idUser === idUser) ? 1 : 0)) === 1
  const toggle = (idUser: number) => {
    const Watch = isOn(idUser) ? 0 : 1
    ask(now => new Map([...now, [idUser, Watch]]))
    set.mutateAsync({ idTicket, idUser, Watch }).catch(problem => {
      ask(now => new Map([...now].filter(([one]) => one !== idUser)))
      notify.failure(problem)
    })
  }
  const matching = people.filter(({ text }) => text.toLowerCase().includes(search.trim().toLowerCase()))
  const shown = matching.slice(0, shownAtMost)
  return (
    <Dialog open onClose={onClose} maxWidth="xs" fullScreenOnPhone aria-labelledby={id}>
      <DialogTitle id={id}>Watchers</DialogTitle>
      <DialogContent className={styles.content}>
        <p className={styles.note}>Watchers get mails about what changes in this ticket.</p>
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
        <ul aria-label="People" className={styles.people}>
          {shown.map(person => (
            <li key={person.id}>
              <LabelledCheckBox label={person.text} checked={isOn(person.id)} onChange={() => toggle(person.id)} />
            </li>
          ))}
        </ul>
        {users.isSuccess && matching.length === 0 && <p className={styles.note}>Nobody here is called “{search.trim()}”.</p>}
        {matching.length > shown.length && (
          <p className={styles.note}>{formatNumber(matching.length - shown.length)} more: search for a name.</p>
        )}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>CLOSE</Button>
      </DialogActions>
    </Dialog>
  )
}
