import { permission } from '@tessera/contract/permissions'
import { useState } from 'react'
import { Avatar } from '../../../../components/avatar/avatar.tsx'
import { EditIcon } from '../../../../components/icons/icons.tsx'
import { lazy } from '../../../../components/lazy/lazy.tsx'
import { GatedIconButton } from '../../../../components/permission-gate/gated-icon-button.tsx'
import { VisuallyHidden } from '../../../../components/visually-hidden/visually-hidden.tsx'
import { useActions } from '../../../../lib/input/actions.ts'
import { refusalOf, type Ticket } from '../../ticket.ts'
import styles from './watchers.module.css'

const WatchersDialog = lazy(async () => (await import('./watchers-dialog.tsx')).WatchersDialog)

/** How many avatars are shown; the others are only counted. */
const shownAtMost = 8

/** Who is mailed about the ticket. The bell above is the user's own; people who may edit tickets add and remove others here. */
export function Watchers({ ticket, blocked }: { ticket: Ticket; blocked: string | undefined }) {
  const [isEditing, edit] = useState(false)
  useActions([{ label: 'Edit watchers', refused: refusalOf(ticket, permission.editTickets, blocked), run: () => edit(true) }])
  const { Watchers: people } = ticket
  const shown = people.slice(0, shownAtMost)
  const others = people.slice(shownAtMost).map(({ Name }) => Name)
  return (
    <div className={styles.watchers}>
      {people.length === 0 ? (
        <span className={styles.nobody}>Nobody</span>
      ) : (
        <ul aria-label="Watchers" className={styles.people}>
          {shown.map(({ idUser, Name }) => (
            <li key={idUser} title={Name}>
              <Avatar name={Name} />
              <VisuallyHidden>{Name}</VisuallyHidden>
            </li>
          ))}
          {others.length > 0 && (
            <li title={others.join(', ')} className={styles.others}>
              <span aria-hidden>+{others.length}</span>
              <VisuallyHidden>{others.join(', ')}</VisuallyHidden>
            </li>
          )}
        </ul>
      )}
      <GatedIconButton
        label="Edit watchers"
        idProject={ticket.idProject}
        needs={permission.editTickets}
        held={ticket.Permissions}
        reason={blocked}
        onClick={() => edit(true)}
      >
        <EditIcon />
      </GatedIconButton>
      {isEditing && <WatchersDialog ticket={ticket} onClose={() => edit(false)} />}
    </div>
  )
}
