import { useQuery } from '@tanstack/react-query'
import { type PermissionId, permission } from '@tessera/contract/permissions'
import { getProjectMembers } from '@tessera/contract/projects/projects'
import { needsPermission } from '@tessera/contract/refusals'
import { type ReactNode, useState } from 'react'
import { callQuery } from '../../lib/calls/api.ts'
import { seldomStale } from '../../lib/calls/live/seldom-stale.ts'
import { oneOf } from '../../lib/display/word-list.ts'
import { WithReason } from './with-reason.tsx'

interface PermissionGateProps {
  idProject: number
  needs: PermissionId
  /** The person's permissions in the project, as sent by the server; undefined while they are loading. */
  held: readonly number[] | undefined
  /** Why nobody may at the moment, regardless of permissions: "This ticket is in the trash". */
  reason?: string | undefined
  /** The guarded element fills the line. Its frame is always there, so that a field in it keeps focus and text when the permission is taken away. */
  isWide?: boolean
  /** Renders the guarded element; `refused` disables it. */
  children: (refused: boolean) => ReactNode
}

/** Explains on a disabled element why the action is not allowed, and who can change that. */
export function PermissionGate(props: PermissionGateProps) {
  const { held, needs, reason, isWide = false, children } = props
  const isRefused = reason !== undefined || (held !== undefined && !held.includes(needs))
  return isRefused || isWide ? <Framed {...props} isRefused={isRefused} /> : children(held === undefined)
}

function Framed({ idProject, needs, held, reason, isWide = false, isRefused, children }: PermissionGateProps & { isRefused: boolean }) {
  const [isAsked, ask] = useState(false)
  const { data: members = [] } = useQuery({
    ...callQuery(getProjectMembers, { idProject }),
    enabled: isAsked && isRefused && !reason,
    staleTime: seldomStale,
  })
  const names = members
    .filter(({ Permissions }) => Permissions.includes(permission.managePermissions) && Permissions.includes(needs))
    .map(({ FullName, Login }) => FullName || Login)
  const shown = names.length > 3 ? [...names.slice(0, 3), 'others'] : names
  // Creating a page's first Intl formatter takes 20 to 60 ms.
  const grantors = shown.length > 0 ? oneOf(shown) : ''
  const words = reason ?? `${needsPermission(needs)}${grantors && `; ${grantors} can grant it`}`
  return (
    <WithReason reason={isRefused ? words : undefined} isWide={isWide} onOpen={() => ask(true)}>
      {children(isRefused || held === undefined)}
    </WithReason>
  )
}
