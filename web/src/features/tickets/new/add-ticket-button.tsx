import { permission } from '@tessera/contract/permissions'
import { needsPermission } from '@tessera/contract/refusals'
import { useState } from 'react'
import { Button } from '../../../components/button/button.tsx'
import { AddIcon } from '../../../components/icons/icons.tsx'
import { lazy } from '../../../components/lazy/lazy.tsx'
import { useMediaQuery } from '../../../lib/display/use-media-query.ts'
import { useActions } from '../../../lib/input/actions.ts'
import { mayInProject, useSession } from '../../../lib/session/session.tsx'

const NewTicketDialog = lazy(async () => (await import('./new-ticket-dialog.tsx')).NewTicketDialog)

/** ADD TICKET of the title bar: for the current project, or for the first in which the user may add one. */
export function AddTicketButton() {
  const { idUser, idOrganization } = useSession()
  // Mounted anew for another person or organization, so that no open dialog is left.
  return <OwnAddTicketButton key={`${idUser} ${idOrganization}`} />
}

function OwnAddTicketButton() {
  const session = useSession()
  const { idActiveProject, projects } = session
  const isNarrow = useMediaQuery('(width < 37.5rem)')
  /** The project of the open dialog. */
  const [openFor, setOpenFor] = useState<number>()
  const allowed = projects.filter(({ id }) => mayInProject(session, id, permission.createTickets))
  const { id: idProject } = allowed.find(({ id }) => id === idActiveProject) ?? allowed[0] ?? {}
  const open = () => setOpenFor(idProject)
  useActions(
    session.authenticated && idActiveProject !== undefined
      ? [
          {
            keys: 'c',
            label: 'Add a ticket',
            words: 'new create',
            refused: idProject ? undefined : needsPermission(permission.createTickets),
            run: open,
          },
        ]
      : [],
  )
  return (
    <>
      {session.authenticated && idProject !== undefined && (
        <Button variant="contained" onClick={open}>
          {isNarrow && <AddIcon />}
          ADD TICKET
        </Button>
      )}
      {/* It stays while a session that has ended is renewed. */}
      {openFor !== undefined && <NewTicketDialog onClose={() => setOpenFor(undefined)} idProject={openFor} />}
    </>
  )
}
