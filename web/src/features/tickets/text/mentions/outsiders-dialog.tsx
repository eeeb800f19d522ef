import type { Response } from '@tessera/contract/call'
import { limits } from '@tessera/contract/limits'
import { type PermissionId, permission, permissionName } from '@tessera/contract/permissions'
import { setUserPermission } from '@tessera/contract/projects/project-config'
import { addProjectMember, removeProjectMember } from '@tessera/contract/projects/projects'
import { namesOf } from '@tessera/contract/text/markdown'
import { getTextNames } from '@tessera/contract/tickets/watchers'
import { useState } from 'react'
import { Button } from '../../../../components/button/button.tsx'
import { Dialog, DialogActions, DialogContent, DialogTitle } from '../../../../components/dialog/dialog.tsx'
import { notify } from '../../../../components/toaster/toaster.tsx'
import { undo } from '../../../../components/toaster/undo.ts'
import { post } from '../../../../lib/calls/api.ts'
import { useCallMutation } from '../../../../lib/calls/mutations/use-call-mutation.ts'
import { listOf } from '../../../../lib/display/word-list.ts'
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

/** What a new member gets: the permissions of the smallest preset that allows reading and answering a ticket. */
const reporter = [permission.viewTickets, permission.createTickets, permission.comment, permission.addAttachments] as const

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
  const remove = useCallMutation(removeProjectMember)
  const hasMembers = people.some(({ Member }) => Member)
  const mayAdd = Permissions.includes(permission.manageProject) && (!hasMembers || Permissions.includes(permission.managePermissions))
  // Nobody grants what they do not hold.
  const given = reporter.filter(id => Permissions.includes(id))
  const [isGiving, setGiving] = useState(false)
  const giveAccess = async () => {
    setGiving(true)
    const waysBack: (() => Promise<unknown>)[] = []
    const admitted: Outsider[] = []
    let problem: unknown
    try {
      for (const person of people) {
        const { idUser, Member } = person
        // For an existing member this changes nothing; it only returns the id of the membership.
        const { idProjectMember, Added } = await add.mutateAsync({ idProject, idUser, ...(!Member && { Permissions: given }) })
        // Somebody else added the person meanwhile, so UNDO must not remove them.
        if (!Member && Added === 0) continue
        const view = { idProject, idProjectMember, idPermission: permission.viewTickets }
        if (Member) await permit.mutateAsync({ ...view, Enabled: 1 })
        waysBack.push(() => (Member ? permit.mutateAsync({ ...view, Enabled: 0 }) : remove.mutateAsync({ idProject, idProjectMember })))
        admitted.push(person)
      }
    } catch (caught) {
      problem = caught
    }
    if (admitted.length > 0)
      notify.success(
        `${listOf(admitted.map(({ Name }) => Name))} can see the tickets of ${ProjectTitle}`,
        undo(async () => {
          for (const back of waysBack) await back()
          return 'Access was removed'
        }),
      )
    setGiving(false)
    if (problem === undefined) onSend()
    else notify.failure(problem as Error)
  }
  const names = listOf(people.map(({ Name }) => Name))
  const logins = listOf(people.map(({ Login }) => `@${Login}`))
  return (
    <Dialog
      onClose={() => isGiving || onCancel()}
      role="alertdialog"
      maxWidth="sm"
      aria-labelledby="outsiders-title"
      aria-describedby="outsiders-text"
    >
      <DialogTitle id="outsiders-title">{names} cannot see this ticket</DialogTitle>
      <DialogContent>
        <div id="outsiders-text">
          Your text mentions {logins}.{' '}
          {mayAdd
            ? `With access, ${whatAccessMeans(people, ProjectTitle, given)} Without it, they are not notified.`
            : 'They are not notified. Somebody who manages the project could give them access.'}
        </div>
      </DialogContent>
      <DialogActions>
        <Button disabled={isGiving} onClick={onCancel}>
          CANCEL
        </Button>
        <Button variant={mayAdd ? 'text' : 'contained'} disabled={isGiving} onClick={onSend}>
          SEND WITHOUT
        </Button>
        {mayAdd && (
          <Button variant="contained" disabled={isGiving} onClick={() => void giveAccess()}>
            GIVE ACCESS
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}

/** `given`: the permissions of those who join. */
function whatAccessMeans(people: readonly Outsider[], project: string, given: readonly PermissionId[]) {
  const newcomers = people.filter(({ Member }) => !Member).map(({ Name }) => Name)
  const members = people.filter(({ Member }) => Member).map(({ Name }) => Name)
  const sentences: string[] = []
  if (newcomers.length > 0) {
    const [join, reporters] = newcomers.length === 1 ? ['joins', 'a Reporter'] : ['join', 'Reporters']
    const as = given.length === reporter.length ? ` as ${reporters}` : ''
    sentences.push(`${listOf(newcomers)} ${join} the project ${project}${as} and may: ${given.map(permissionName).join(', ')}.`)
  }
  if (members.length > 0) {
    const get = members.length === 1 ? 'gets' : 'get'
    sentences.push(
      `${listOf(members)}, already in the project ${project}, ${get} the permission ${permissionName(permission.viewTickets)}.`,
    )
  }
  return sentences.join(' ')
}
