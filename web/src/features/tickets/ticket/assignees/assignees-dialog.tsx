import { useQuery } from '@tanstack/react-query'
import { getProjectRoleList, getProjectUserList, getProjectUserroleList } from '@tessera/contract/assignees'
import { useState } from 'react'
import { CheckBox } from '../../../../components/check-box/check-box.tsx'
import { EmptyState } from '../../../../components/empty-state/empty-state.tsx'
import { hasFailed, LoadProblem } from '../../../../components/empty-state/load-problem.tsx'
import { FormDialog } from '../../../../components/form-dialog/form-dialog.tsx'
import { Spinner } from '../../../../components/spinner/spinner.tsx'
import { TextField } from '../../../../components/text-field/text-field.tsx'
import { callQuery } from '../../../../lib/api.ts'
import { isSameSet } from '../../../../lib/use-draft.ts'
import type { Assignment } from '../../ticket.ts'
import styles from './assignees-dialog.module.css'

interface AssigneesDialogProps {
  idTicket: number
  /** The earlier choice that is not saved yet. */
  changes: readonly Assignment[]
  onApply: (changes: Assignment[]) => void
  onClose: () => void
}

function keyOf({ idUser, idRole }: { idUser: number; idRole: number }) {
  return `${idUser} ${idRole}`
}

/** Who holds which role on the ticket: users by roles. The choice goes into the ticket's draft. */
export function AssigneesDialog({ idTicket, changes, onApply, onClose }: AssigneesDialogProps) {
  const roles = useQuery(callQuery(getProjectRoleList, { idTicket }))
  const users = useQuery(callQuery(getProjectUserList, { idTicket }))
  const held = useQuery(callQuery(getProjectUserroleList, { idTicket }))
  const [chosen, choose] = useState<readonly Assignment[]>(changes)
  const [search, setSearch] = useState('')

  const loads = [roles, users, held]
  const isLoaded = roles.data && users.data && held.data
  const holds = new Set(held.data?.map(keyOf))
  const isOn = (pair: { idUser: number; idRole: number }) => {
    const change = chosen.find(other => keyOf(other) === keyOf(pair))
    return change ? change.Enabled === 1 : holds.has(keyOf(pair))
  }
  const toggle = (pair: { idUser: number; idRole: number }) => {
    const Enabled = isOn(pair) ? 0 : 1
    const others = chosen.filter(other => keyOf(other) !== keyOf(pair))
    choose(holds.has(keyOf(pair)) === (Enabled === 1) ? others : [...others, { ...pair, Enabled }])
  }
  const isChanged = !isSameSet(chosen, changes)
  const shown = users.data?.filter(({ text }) => text.toLowerCase().includes(search.trim().toLowerCase()))
  return (
    <FormDialog
      open
      title="Assignees"
      maxWidth="sm"
      submitLabel="OK"
      disabled={!isLoaded || !isChanged}
      isDirty={isChanged}
      onSubmit={() => onApply([...chosen])}
      onClose={onClose}
    >
      <LoadProblem of={loads} />
      {!isLoaded && !loads.some(hasFailed) && (
        <div className={styles.loading}>
          <Spinner label="Loading" />
        </div>
      )}
      {isLoaded && users.data.length > 10 && <TextField label="Search" value={search} onChange={event => setSearch(event.target.value)} />}
      {isLoaded && (roles.data.length === 0 || users.data.length === 0) && (
        <EmptyState dense title={roles.data.length === 0 ? 'This project has no roles yet' : 'This project has no members yet'}>
          They are added on the project's edit page.
        </EmptyState>
      )}
      {isLoaded && roles.data.length > 0 && users.data.length > 0 && (
        <div className={styles.scroll}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">User</th>
                {roles.data.map(({ id, text }) => (
                  <th key={id} scope="col">
                    {text}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown?.map(user => (
                <tr key={user.id}>
                  <th scope="row">{user.text}</th>
                  {roles.data.map(role => {
                    const pair = { idUser: user.id, idRole: role.id }
                    return (
                      <td key={role.id}>
                        <CheckBox label={`${user.text}: ${role.text}`} checked={isOn(pair)} onChange={() => toggle(pair)} />
                      </td>
                    )
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </FormDialog>
  )
}
