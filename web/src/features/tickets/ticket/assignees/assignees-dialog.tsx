import { useQuery } from '@tanstack/react-query'
import { getProjectRoleList, getProjectUserList, getProjectUserroleList } from '@tessera/contract/tickets/assignees'
import { type KeyboardEvent, useState } from 'react'
import { CheckBox } from '../../../../components/check-box/check-box.tsx'
import { EmptyState } from '../../../../components/empty-state/empty-state.tsx'
import { hasFailed, LoadProblem } from '../../../../components/empty-state/load-problem.tsx'
import { FormDialog } from '../../../../components/form-dialog/form-dialog.tsx'
import { Spinner } from '../../../../components/spinner/spinner.tsx'
import { TextField } from '../../../../components/text-field/text-field.tsx'
import { callQuery } from '../../../../lib/calls/api.ts'
import { formatNumber } from '../../../../lib/display/format.ts'
import { bestMatches } from '../../../../lib/forms/best-matches.ts'
import { isSameSet } from '../../../../lib/forms/drafts/use-draft.ts'
import { useSession } from '../../../../lib/session/session.tsx'
import { type Assignment, isSamePair, type Pair, usualRole } from '../../ticket.ts'
import styles from './assignees-dialog.module.css'

interface AssigneesDialogProps {
  idTicket: number
  /** Earlier unsaved changes. */
  changes: readonly Assignment[]
  onApply: (changes: Assignment[]) => void
  onClose: () => void
}

/** Maximum number of rows; everybody else is found by searching. */
const shownAtMost = 30

function keyOf({ idUser, idRole }: Pair) {
  return `${idUser} ${idRole}`
}

/** Who holds which role on the ticket: users by roles. The choice goes into the ticket's draft. */
export function AssigneesDialog({ idTicket, changes, onApply, onClose }: AssigneesDialogProps) {
  const roles = useQuery(callQuery(getProjectRoleList, { idTicket }))
  const users = useQuery(callQuery(getProjectUserList, { idTicket, Recent: 1 }))
  const held = useQuery(callQuery(getProjectUserroleList, { idTicket }))
  const [chosen, choose] = useState<readonly Assignment[]>(changes)
  // ASSIGN ME may have been on its way when this was opened.
  const [before, remember] = useState(changes)
  if (changes !== before) {
    remember(changes)
    choose([...chosen, ...changes.filter(change => ![...before, ...chosen].some(known => isSamePair(known, change)))])
  }
  const [search, setSearch] = useState('')
  /** No box was ticked since the search was typed: Enter assigns. Otherwise it is OK. */
  const [isNew, setNew] = useState(false)
  /** What Enter in the search did last. */
  const [said, say] = useState('')
  const me = useSession().idUser

  const loads = [roles, users, held]
  const isLoaded = roles.data && users.data && held.data
  const holds = new Set(held.data?.map(keyOf))
  const isOn = (pair: Pair) => {
    const change = chosen.find(other => isSamePair(other, pair))
    return change ? change.Enabled === 1 : holds.has(keyOf(pair))
  }
  const toggle = (pair: Pair) => {
    setNew(false)
    const Enabled = isOn(pair) ? 0 : 1
    const others = chosen.filter(other => !isSamePair(other, pair))
    choose(holds.has(keyOf(pair)) === (Enabled === 1) ? others : [...others, { ...pair, Enabled }])
  }
  const isChanged = !isSameSet(chosen, changes)
  const wanted = search.trim().toLowerCase()
  const assigned = new Set([...(held.data ?? []), ...changes].map(({ idUser }) => idUser))
  const rank = (idUser: number) => {
    if (assigned.has(idUser)) return 2
    return idUser === me ? 1 : 0
  }
  // Assigned people first, then the user, then recently active people. The order stays while boxes are ticked.
  const people = (users.data ?? []).toSorted((a, b) => rank(b.id) - rank(a.id))
  const matching = bestMatches(people, ({ id, text }) => (id === me && wanted === 'me' ? 'me' : text), wanted)
  const shown = matching.slice(0, shownAtMost)
  const [first] = shown
  const role = usualRole(roles.data ?? [])
  const firstPair = isNew && wanted !== '' && first && role && { idUser: first.id, idRole: role.id }
  const effect = firstPair && `${first?.text} ${isOn(firstPair) ? 'is no longer' : 'becomes'} ${role?.text}`
  /** A name and Enter assign the person; the next Enter is OK. */
  const onEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || wanted === '' || !isNew) return
    event.preventDefault()
    if (!firstPair || !effect) return
    toggle(firstPair)
    say(`${effect}.`)
    setSearch('')
  }
  return (
    <FormDialog
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
      {isLoaded && (roles.data.length === 0 || users.data.length === 0) && (
        <EmptyState dense title={roles.data.length === 0 ? 'This project has no roles yet' : 'This project has no members yet'}>
          They are added on the project's edit page.
        </EmptyState>
      )}
      {isLoaded && roles.data.length > 0 && users.data.length > 0 && (
        // biome-ignore lint/a11y/noStaticElementInteractions: the arrows move between the boxes, which take the focus themselves
        <div className={styles.people} onKeyDown={moveInMatrix}>
          <TextField
            label="Search"
            type="search"
            placeholder="Name, or me"
            autoFocus
            autoComplete="off"
            value={search}
            onChange={event => {
              setSearch(event.target.value)
              setNew(true)
            }}
            onKeyDown={onEnter}
          />
          <div className={styles.scroll}>
            <table aria-label="Roles of users" className={styles.table}>
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
                {shown.map(user => (
                  <tr key={user.id}>
                    <th scope="row">
                      {user.text}
                      {user.id === me && <span className={styles.note}> (you)</span>}
                    </th>
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
          <p role="status" className={styles.note}>
            {matching.length === 0 && 'Nobody in this project has that name.'}
            {wanted === '' && said}
            {effect && <>Enter: {effect}. </>}
            {matching.length > shown.length && ` ${formatNumber(matching.length - shown.length)} more: search for them.`}
          </p>
        </div>
      )}
    </FormDialog>
  )
}

/** From the search down to the first box, and with the arrows from box to box. */
function moveInMatrix(event: KeyboardEvent<HTMLElement>) {
  const rows = [...event.currentTarget.querySelectorAll('tbody tr')].map(row => [...row.querySelectorAll('input')])
  const target = event.target as HTMLInputElement
  const y = rows.findIndex(row => row.includes(target))
  const x = rows[y]?.indexOf(target) ?? 0
  const places: Record<string, () => HTMLInputElement | null | undefined> = {
    ArrowDown: () => rows[y + 1]?.[x],
    ArrowUp: () => rows[y - 1]?.[x] ?? event.currentTarget.querySelector<HTMLInputElement>('input[type=search]'),
    ArrowRight: () => rows[y]?.[x + 1],
    ArrowLeft: () => rows[y]?.[x - 1],
  }
  const next = places[event.key]?.()
  if (!next) return
  event.preventDefault()
  next.focus()
}
