import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { permission } from '@tessera/contract/permissions'
import { getProjectRoleList, getTicketRolelist } from '@tessera/contract/tickets/assignees'
import { useEffect, useRef, useState } from 'react'
import { Avatar } from '../../../../components/avatar/avatar.tsx'
import { Button } from '../../../../components/button/button.tsx'
import { EditIcon } from '../../../../components/icons/icons.tsx'
import { lazy } from '../../../../components/lazy/lazy.tsx'
import { GatedIconButton } from '../../../../components/permission-gate/gated-icon-button.tsx'
import { notify } from '../../../../components/toaster/toaster.tsx'
import { callQuery } from '../../../../lib/calls/api.ts'
import { useActions } from '../../../../lib/input/actions.ts'
import { useSession } from '../../../../lib/session/session.tsx'
import { type Assignment, isSamePair, type Pair, refusalOf, type Ticket, usualRole } from '../../ticket.ts'
import { assignedPairs, type useTicketDraft } from '../use-ticket-draft.ts'
import styles from './assignees.module.css'

const AssigneesDialog = lazy(async () => (await import('./assignees-dialog.tsx')).AssigneesDialog)

/** The changes with this pair toggled. */
function toggled(ticket: Ticket, changes: readonly Assignment[], pair: Pair): Assignment[] {
  const isPair = (other: Pair) => isSamePair(other, pair)
  if (changes.some(isPair)) return changes.filter(change => !isPair(change))
  return [...changes, { ...pair, Enabled: ticket.Assignees.some(isPair) ? 0 : 1 }]
}

/** Two people may have the same name. Of changes that are not saved, only the names are known. */
function whoIs({ idUser, Name }: { idUser?: number; Name: string }) {
  return idUser ?? Name
}

interface AssigneesProps {
  ticket: Ticket
  draft: ReturnType<typeof useTicketDraft>
  /** Why the ticket takes no change just now, whatever the permissions. */
  blocked: string | undefined
}

/** Who holds which role: each person once, as `name (role)`, and the dialog that changes it. */
export function Assignees({ ticket, draft, blocked }: AssigneesProps) {
  const [isEditing, edit] = useState(false)
  const { TicketAssign } = draft.draft
  const pairs = assignedPairs(ticket, TicketAssign)
  const names = useQuery({
    ...callQuery(getTicketRolelist, { idTicket: ticket.idTicket, Assignees: pairs }),
    enabled: TicketAssign.length > 0 && pairs.length > 0,
    placeholderData: keepPreviousData,
  })
  const edited = pairs.length === 0 ? [] : (names.data ?? ticket.Assignees)
  const shown = TicketAssign.length === 0 ? ticket.Assignees : edited
  const me = useSession().idUser
  const isMine = pairs.some(({ idUser }) => idUser === me)
  const refused = refusalOf(ticket, permission.assignPeople, blocked)
  const queries = useQueryClient()
  // People may be chosen in the dialog meanwhile.
  const latest = useRef({ ticket, draft })
  useEffect(() => {
    latest.current = { ticket, draft }
  })
  const assignMe = async () => {
    try {
      const { idTicket } = ticket
      const role = usualRole(await queries.ensureQueryData(callQuery(getProjectRoleList, { idTicket })))
      if (!role) return notify.error('This project has no roles yet, so nobody can be assigned')
      const pair = { idUser: me, idRole: role.id }
      // Pairs of people who are not members are left out. The list of all members may have thousands of rows.
      const named = await queries.fetchQuery(callQuery(getTicketRolelist, { idTicket, Assignees: [pair] }))
      if (named.length === 0) return notify.error('You are not a member of this project, so you cannot be assigned')
      const now = latest.current
      const changes = now.draft.draft.TicketAssign
      const has = (all: readonly Pair[]) => all.some(other => isSamePair(other, pair))
      // Unless that is done already: it must not be undone.
      if (has(assignedPairs(now.ticket, changes)) === has(pairs)) now.draft.set('TicketAssign', toggled(now.ticket, changes, pair))
    } catch (problem) {
      notify.failure(problem as Error)
    }
  }
  useActions([
    { keys: 'a', label: 'Change the assignees', refused, run: () => edit(true) },
    { keys: 'i', label: 'Assign the ticket to me, or remove me', refused, run: () => void assignMe() },
  ])
  const people = [...Map.groupBy<number | string, { idUser?: number; Name: string; Role: string }>(shown, whoIs).values()]
  return (
    <div className={styles.assignees}>
      <div className={styles.names}>
        <div className={styles.people}>
          {people.length === 0 && <span className={styles.nobody}>Nobody</span>}
          {people.map(([first, ...others]) => {
            if (!first) return null
            const roles = [first, ...others].map(({ Role }) => Role)
            return (
              <span key={whoIs(first)} className={styles.person}>
                <Avatar name={first.Name} />
                <span>{`${first.Name} (${roles.join(', ')})`}</span>
              </span>
            )
          })}
        </div>
        <GatedIconButton
          label="Edit assignees"
          idProject={ticket.idProject}
          needs={permission.assignPeople}
          held={ticket.Permissions}
          reason={blocked}
          onClick={() => edit(true)}
        >
          <EditIcon />
        </GatedIconButton>
      </div>
      {!refused && !isMine && (
        <Button variant="text" onClick={() => void assignMe()} className={styles.mine}>
          ASSIGN ME
        </Button>
      )}
      {isEditing && (
        <AssigneesDialog
          idTicket={ticket.idTicket}
          changes={TicketAssign}
          onApply={changes => {
            draft.set('TicketAssign', changes)
            edit(false)
          }}
          onClose={() => edit(false)}
        />
      )}
    </div>
  )
}
