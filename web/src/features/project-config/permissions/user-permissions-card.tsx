import { useQuery, useQueryClient } from '@tanstack/react-query'
import { messages } from '@tessera/contract/messages'
import { permission } from '@tessera/contract/permissions'
import { getPermissionTypes, getUserPermissions, setUserPermission } from '@tessera/contract/projects/project-config'
import { needsPermission } from '@tessera/contract/refusals'
import { useState } from 'react'
import { Breakable } from '../../../components/breakable/breakable.tsx'
import { CheckBox } from '../../../components/check-box/check-box.tsx'
import { DataTable } from '../../../components/data-table/data-table.tsx'
import { EmptyState } from '../../../components/empty-state/empty-state.tsx'
import { hasFailed, LoadProblem } from '../../../components/empty-state/load-problem.tsx'
import { LockIcon, PeopleIcon } from '../../../components/icons/icons.tsx'
import { useLongList } from '../../../components/long-list/use-long-list.tsx'
import { ScrollArea } from '../../../components/scroll-area/scroll-area.tsx'
import { SectionCard } from '../../../components/section-card/section-card.tsx'
import { SkeletonRows } from '../../../components/skeleton/skeleton-rows.tsx'
import { notify } from '../../../components/toaster/toaster.tsx'
import { TooltipArea } from '../../../components/tooltip/tooltip-area.tsx'
import { type CallError, callQuery } from '../../../lib/calls/api.ts'
import { useCallMutation } from '../../../lib/calls/mutations/use-call-mutation.ts'
import { useSending } from '../../../lib/forms/use-sending.ts'
import { isRefused, type ProjectRights } from '../project-rights.ts'
import { PermissionPresets } from './permission-presets.tsx'
import styles from './user-permissions-card.module.css'

export function UserPermissionsCard({ rights }: { rights: ProjectRights }) {
  const { idProject, held, frozen } = rights
  const mayManage = held.includes(permission.managePermissions)
  const queries = useQueryClient()
  const list = callQuery(getUserPermissions, { idProject })
  const members = useQuery({ ...list, enabled: mayManage })
  const { data } = members
  const kinds = useQuery({ ...callQuery(getPermissionTypes, {}), staleTime: 'static' })
  const types = kinds.data ?? []
  const loads = [members, kinds]
  const set = useCallMutation(setUserPermission)
  const users = useLongList(data, ({ Login }) => Login, { one: 'user', many: 'users' })
  const [sent, through] = useSending()
  const [selected, select] = useState<readonly number[]>([])

  const toggle = (idProjectMember: number, idPermission: number, on: boolean) =>
    through(`${idProjectMember} ${idPermission}`, on, async () => {
      try {
        const { Enabled } = await set.mutateAsync({ idProject, idProjectMember, idPermission, Enabled: on ? 1 : 0 })
        queries.setQueryData(list.queryKey, users =>
          users?.map(user => {
            if (user.id !== idProjectMember) return user
            const others = user.Permissions.filter(id => id !== idPermission)
            return { ...user, Permissions: Enabled === 1 ? [...others, idPermission] : others }
          }),
        )
        notify.success(messages.permissionsUpdated)
      } catch (error) {
        const problem = error as CallError
        notify.failure(problem, problem.status === 422 ? messages.permissionsRefused : messages.permissionsBroken)
      }
    })

  if (!mayManage) {
    return (
      <SectionCard title="User Permissions">
        <EmptyState dense icon={<LockIcon />} title={needsPermission(permission.managePermissions)}>
          Only people with this permission see who may do what in this project.
        </EmptyState>
      </SectionCard>
    )
  }
  const refused = isRefused(rights, permission.managePermissions)
  const foreign = types.filter(({ id }) => !held.includes(id))
  // Without those who were removed from the project since.
  const chosen = (data ?? []).filter(({ id }) => selected.includes(id))
  return (
    <SectionCard title="User Permissions" count={data?.length} actions={users.search}>
      <LoadProblem of={loads} />
      {data?.length === 0 && (
        <EmptyState dense icon={<PeopleIcon />} title="There are no members yet">
          Add people to the project below; what they may do is chosen here.
        </EmptyState>
      )}
      {chosen.length > 0 && <PermissionPresets rights={rights} users={chosen} onDone={() => select([])} />}
      {!loads.some(hasFailed) && data?.length !== 0 && (
        <TooltipArea>
          <ScrollArea label="User Permissions" className={styles.area}>
            <DataTable className={styles.matrix} aria-label="User Permissions" aria-busy={!data}>
              <thead>
                <tr>
                  <th scope="col">User</th>
                  {types.map(({ id, Description }) => (
                    <th key={id} scope="col" className={styles.type}>
                      <div className={styles.turned}>{Description}</div>
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {!data && <SkeletonRows columns={types.length + 1} rows={3} />}
                {users.shown.map(({ id, Login, Permissions }) => (
                  <tr key={id}>
                    <th scope="row">
                      <div className={styles.user}>
                        <CheckBox
                          label={`Select ${Login}`}
                          checked={selected.includes(id)}
                          disabled={refused}
                          onChange={on => select(now => (on ? [...now, id] : now.filter(other => other !== id)))}
                        />
                        <span className={styles.login}>
                          <Breakable isFixed>{Login}</Breakable>
                        </span>
                      </div>
                    </th>
                    {types.map(type => {
                      const reason =
                        frozen ?? (held.includes(type.id) ? undefined : `You do not hold ${type.Description}, so you cannot grant it`)
                      return (
                        <td key={type.id} data-tip={reason}>
                          <CheckBox
                            label={`${type.Description}: ${Login}${reason ? ` (${reason})` : ''}`}
                            checked={sent(`${id} ${type.id}`) ?? Permissions.includes(type.id)}
                            disabled={refused || reason !== undefined}
                            onChange={on => void toggle(id, type.id, on)}
                          />
                        </td>
                      )
                    })}
                  </tr>
                ))}
              </tbody>
            </DataTable>
          </ScrollArea>
        </TooltipArea>
      )}
      {users.rest}
      {foreign.length > 0 && !frozen && data && data.length > 0 && (
        <p className={styles.note}>You can grant only what you hold yourself; the rest is grayed out.</p>
      )}
    </SectionCard>
  )
}
