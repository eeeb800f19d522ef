import Autocomplete from '@mui/material/Autocomplete'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Skeleton from '@mui/material/Skeleton'
import TextField from '@mui/material/TextField'

import { useQuery } from '@tanstack/react-query'
import { type PermissionId, permission, permissionName } from '@tessera/contract/permissions'
import {
  addProjectMember,
  getProjectMemberCandidates,
  getProjectMembers,
  removeProjectMember,
  restoreProjectMember,
} from '@tessera/contract/projects'
import { useState } from 'react'
import { AddForm } from '../../components/add-form.tsx'
import { Breakable } from '../../components/breakable.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { CloseIcon, PeopleIcon } from '../../components/icons.tsx'
import { PermissionGate } from '../../components/permission-gate.tsx'
import { RemovalDialog } from '../../components/removal-dialog.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { notify } from '../../components/toaster.tsx'
import { Tooltip } from '../../components/tooltip.tsx'
import { callQuery, useCallMutation } from '../../lib/api.ts'
import { isRefused, type ProjectRights } from './project-rights.ts'

interface Candidate {
  id: number
  LoginName: string
  FullName: string
}

const page = 20

export function ProjectMemberListCard({ rights }: { rights: ProjectRights }) {
  const { idProject, held, frozen } = rights
  const { data, error, refetch } = useQuery(callQuery(getProjectMembers, { idProject }))
  const refused = isRefused(rights, permission.manageProject)
  const candidates = useQuery({ ...callQuery(getProjectMemberCandidates, { idProject }), enabled: !refused }).data ?? []
  const add = useCallMutation(addProjectMember)
  const remove = useCallMutation(removeProjectMember)
  const restore = useCallMutation(restoreProjectMember)
  const [chosen, choose] = useState<Candidate | null>(null)
  const [problem, setProblem] = useState<string>()
  const [shown, show] = useState(page)
  const [leaving, setLeaving] = useState<number>()
  const leaver = data?.find(({ idProjectMember }) => idProjectMember === leaving)
  const bringBack = async ({ idUser, FullName, Login }: { idUser: number; FullName: string; Login: string }) => {
    const { Withheld } = await restore.mutateAsync({ idProject, idUser })
    const without = new Intl.ListFormat('en-US').format(Withheld.map(id => permissionName(id as PermissionId)))
    return `${FullName || Login} is a member again${without && `, without what you do not hold: ${without}`}`
  }

  const submit = () => {
    if (!chosen) return setProblem('Choose a person first')
    add.mutate(
      { idProject, idUser: chosen.id },
      {
        onSuccess: () => {
          notify.success(`${chosen.FullName || chosen.LoginName} is a member now`)
          choose(null)
        },
        onError: problem => notify.failure(problem),
      },
    )
  }
  return (
    <SectionCard
      title="Members"
      count={data?.length}
      footer={
        <PermissionGate idProject={idProject} needs={permission.manageProject} held={held} reason={frozen}>
          {isOff => (
            <AddForm label="ADD MEMBER" disabled={isOff || add.isPending} onSubmit={submit}>
              <Autocomplete
                size="small"
                sx={{ flex: 1, minWidth: 160 }}
                disabled={isOff}
                options={candidates}
                value={chosen}
                noOptionsText="Everybody of this organization is a member"
                getOptionLabel={({ FullName, LoginName }) => (FullName ? `${FullName} (${LoginName})` : LoginName)}
                getOptionKey={({ id }) => id}
                isOptionEqualToValue={(option, value) => option.id === value.id}
                onChange={(_event, person) => {
                  setProblem(undefined)
                  choose(person)
                }}
                renderInput={params => (
                  <TextField
                    {...params}
                    hiddenLabel
                    placeholder="Add a person"
                    error={Boolean(problem)}
                    helperText={problem}
                    slotProps={{ ...params.slotProps, htmlInput: { ...params.slotProps?.htmlInput, 'aria-label': 'Add a person' } }}
                  />
                )}
              />
            </AddForm>
          )}
        </PermissionGate>
      }
    >
      {error && !data && <ErrorState dense message={error.message} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton variant="rounded" height={80} sx={{ m: 2 }} />}
      {data?.length === 0 && (
        <EmptyState dense icon={<PeopleIcon />} title="There are no members yet">
          Members see this project and do in it what they are permitted.
        </EmptyState>
      )}
      <Box component="ul" aria-label="Members" sx={{ listStyle: 'none', m: 0, p: 0.75 }}>
        {data?.slice(0, shown).map(({ idProjectMember, Login, FullName }) => (
          <Box
            component="li"
            key={idProjectMember}
            sx={{ display: 'flex', alignItems: 'center', gap: 1, minHeight: 36, px: 1.25, fontSize: 13 }}
          >
            <Box component="span" sx={{ fontWeight: 500, overflowWrap: 'anywhere' }}>
              <Breakable>{Login}</Breakable>
            </Box>
            <Box component="span" sx={{ flex: 1, minWidth: 0, color: 'text.secondary', overflowWrap: 'anywhere' }}>
              {FullName}
            </Box>
            {!refused && (
              <Tooltip title="Remove from the project">
                <IconButton size="small" aria-label={`Remove ${Login} from the project`} onClick={() => setLeaving(idProjectMember)}>
                  <CloseIcon fontSize="small" />
                </IconButton>
              </Tooltip>
            )}
          </Box>
        ))}
      </Box>
      {data && data.length > shown && (
        <Box sx={{ px: 2, pb: 1.5 }}>
          <Button onClick={() => show(shown + 5 * page)}>SHOW MORE ({data.length - shown})</Button>
        </Box>
      )}
      {leaver && (
        <RemovalDialog
          title={`Remove ${leaver.Login} from the project?`}
          remove={() => remove.mutateAsync({ idProject, idProjectMember: leaver.idProjectMember })}
          removed={`${leaver.FullName || leaver.Login} is no longer a member`}
          restore={() => bringBack(leaver)}
          onClose={() => setLeaving(undefined)}
        >
          Their permissions and their roles on the tickets of this project go as well. What they wrote stays.
        </RemovalDialog>
      )}
    </SectionCard>
  )
}
