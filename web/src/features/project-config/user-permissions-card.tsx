import Box from '@mui/material/Box'
import InputBase from '@mui/material/InputBase'
import { styled } from '@mui/material/styles'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { messages } from '@tessera/contract/messages'
import { permission } from '@tessera/contract/permissions'
import { getPermissionTypes, getUserPermissions, setUserPermission } from '@tessera/contract/project-config'
import { useState } from 'react'
import { CheckBox } from '../../components/check-box/check-box.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { LockIcon, PeopleIcon } from '../../components/icons.tsx'
import { ScrollArea } from '../../components/scroll-area.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { SkeletonRows } from '../../components/skeleton-rows.tsx'
import { notify } from '../../components/toaster.tsx'
import { TooltipArea } from '../../components/tooltip-area.tsx'
import { type CallError, callQuery, useCallMutation } from '../../lib/api.ts'
import { useSending } from '../../lib/use-sending.ts'
import { isRefused, type ProjectRights } from './project-rights.ts'

const Matrix = styled(DataTable)(({ theme: { vars } }) => ({
  '& thead th': { height: 'auto', verticalAlign: 'bottom', paddingBlock: 8 },
  '& thead th.type': { width: 28, minWidth: 28, paddingInline: 0, textAlign: 'center' },
  '& thead .turned': { writingMode: 'vertical-rl', transform: 'rotate(180deg)', lineHeight: '28px', marginInline: 'auto' },
  '& td': { padding: '0 !important', width: 28, textAlign: 'center' },
  // Who it is stays in sight while the permissions scroll.
  '& tr > :first-child': {
    position: 'sticky',
    left: 0,
    zIndex: 1,
    minWidth: 88,
    maxWidth: 160,
    backgroundColor: vars.palette.background.paper,
  },
  '& tbody tr:hover > *': { backgroundColor: vars.palette.action.hover },
}))

const searchableFrom = 12

export function UserPermissionsCard({ rights }: { rights: ProjectRights }) {
  const { idProject, held, frozen } = rights
  const mayManage = held.includes(permission.managePermissions)
  const queries = useQueryClient()
  const list = callQuery(getUserPermissions, { idProject })
  const { data, error, refetch } = useQuery({ ...list, enabled: mayManage })
  const types = useQuery({ ...callQuery(getPermissionTypes, {}), staleTime: Number.POSITIVE_INFINITY }).data ?? []
  const set = useCallMutation(setUserPermission)
  const [search, setSearch] = useState('')
  const [sent, through] = useSending()

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
        <EmptyState dense icon={<LockIcon />} title="Needs the permission Manage permissions">
          Who may do what in this project is shown to those who may change it.
        </EmptyState>
      </SectionCard>
    )
  }
  const refused = isRefused(rights, permission.managePermissions)
  const wanted = search.trim().toLowerCase()
  const shown = data?.filter(({ Login }) => Login.toLowerCase().includes(wanted))
  const foreign = types.filter(({ id }) => !held.includes(id))
  return (
    <SectionCard
      title="User Permissions"
      count={data?.length}
      actions={
        (data?.length ?? 0) >= searchableFrom && (
          <InputBase
            value={search}
            onChange={event => setSearch(event.target.value)}
            placeholder="Search users"
            slotProps={{ input: { 'aria-label': 'Search users', type: 'search' } }}
            sx={{ px: 1, height: 28, width: 160, border: 1, borderColor: 'divider', borderRadius: '7px', fontSize: 13 }}
          />
        )
      }
    >
      {error && !data && <ErrorState dense message={error.message} onRetry={() => void refetch()} />}
      {data?.length === 0 && (
        <EmptyState dense icon={<PeopleIcon />} title="There are no members yet">
          Add people to the project below; what they may do is chosen here.
        </EmptyState>
      )}
      {!error && data?.length !== 0 && (
        <TooltipArea>
          <ScrollArea label="User Permissions">
            <Matrix aria-label="User Permissions" aria-busy={!data}>
              <thead>
                <tr>
                  <th scope="col">User</th>
                  {types.map(({ id, Description }) => (
                    <th key={id} scope="col" className="type">
                      <div className="turned">{Description}</div>
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {!data && <SkeletonRows columns={types.length + 1} rows={3} />}
                {shown?.map(({ id, Login, Permissions }) => (
                  <tr key={id}>
                    <th scope="row">{Login}</th>
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
            </Matrix>
          </ScrollArea>
        </TooltipArea>
      )}
      {foreign.length > 0 && !frozen && data && data.length > 0 && (
        <Box sx={{ px: 2, py: 1, fontSize: 12, color: 'text.secondary', borderTop: 1, borderColor: 'hairline' }}>
          You can grant only what you hold yourself; the rest is greyed out.
        </Box>
      )}
    </SectionCard>
  )
}
