import type { Response } from '@tessera/contract/call'
import { limits } from '@tessera/contract/limits'
import { permission } from '@tessera/contract/permissions'
import { setUserPermission } from '@tessera/contract/project-config'
import { addProjectMember } from '@tessera/contract/projects'
import { namesOf } from '@tessera/contract/text/markdown'
import { getTextNames } from '@tessera/contract/tickets'
import { Button } from '../../../../components/button/button.tsx'
import { Dialog, DialogActions, DialogContent, DialogTitle } from '../../../../components/dialog/dialog.tsx'
import { notify } from '../../../../components/toaster/toaster.tsx'
import { CallError, post, useCallMutation } from '../../../../lib/calls/api.ts'
import type { Ticket } from '../../ticket.ts'

type Outsider = NonNullable<Response<typeof getTextNames>['Outsiders']>[number]

/** The people whom these texts newly mention and who may not view the ticket. */
export async function outsidersOf(idTicket: number, texts: readonly { before: string; after: string }[]) {
  const loginsOf = (text: string) => namesOf(text).flatMap(({ kind, name }) => (kind === 'person' ? [name.slice(1).toLowerCase()] : []))
  const added = texts.flatMap(({ before, after }) => {
    const earlier = new Set(loginsOf(before))
    return loginsOf(after).filter(login => !earlier.has(login))
  })
  const Logins = [...new Set(added)].filter(login => login.length <= limits.login).slice(0, limits.namesAtOnce)
  if (Logins.length === 0) return []
  return (await post(getTextNames, { idTicket, Tickets: [], Logins, Outsiders: 1 })).Outsiders ?? []
}

interface OutsidersDialogProps {
  ticket: Ticket
  people: readonly Outsider[]
  onSend: () => void
  onCancel: () => void
}

/** Asks before a text is sent that mentions people who cannot see it. */
export function OutsidersDialog({ ticket, people, onSend, onCancel }: OutsidersDialogProps) {
  const { idProject, ProjectTitle, Permissions } = ticket
  const add = useCallMutation(addProjectMember)
  const permit = useCallMutation(setUserPermission)
  const mayAdd = Permissions.includes(permission.manageProject)
  const giveAccess = async () => {
    try {
      for (const { idUser, Member } of people) {
        const { idProjectMember } = await add.mutateAsync({ idProject, idUser })
        // Adding existing members again would not change their permissions.
        if (Member) await permit.mutateAsync({ idProject, idProjectMember, idPermission: permission.viewTickets, Enabled: 1 })
      }
      onSend()
    } catch (problem) {
      if (problem instanceof CallError) notify.failure(problem)
    }
  }
  const names = new Intl.ListFormat('en-US').format(people.map(({ Name }) => Name))
  const logins = new Intl.ListFormat('en-US').format(people.map(({ Login }) => `@${Login}`))
  return (
    <Dialog open onClose={onCancel} role="alertdialog" maxWidth="sm" aria-labelledby="outsiders-title" aria-describedby="outsiders-text">
      <DialogTitle id="outsiders-title">{names} cannot see this ticket</DialogTitle>
      <DialogContent>
        <div id="outsiders-text">
          Your text mentions {logins}.{' '}
          {mayAdd
            ? `With access ${people.length === 1 ? 'this person becomes a member' : 'they become members'} of the project ${ProjectTitle}. Without it nobody tells them.`
            : 'Nobody tells them. Who manages the project could give them access.'}
        </div>
      </DialogContent>
      <DialogActions>
        <Button onClick={onCancel}>CANCEL</Button>
        <Button variant={mayAdd ? 'text' : 'contained'} onClick={onSend}>
          SEND WITHOUT
        </Button>
        {mayAdd && (
          <Button variant="contained" disabled={add.isPending || permit.isPending} onClick={() => void giveAccess()}>
            GIVE ACCESS
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}
