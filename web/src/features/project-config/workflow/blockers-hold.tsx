import { useQuery, useQueryClient } from '@tanstack/react-query'
import { messages } from '@tessera/contract/messages'
import { permission } from '@tessera/contract/permissions'
import { getProjectData, setProjectData } from '@tessera/contract/projects/projects'
import { projectArchived } from '@tessera/contract/refusals'
import { PermissionGate } from '../../../components/permission-gate/permission-gate.tsx'
import { Switch } from '../../../components/switch/switch.tsx'
import { notify } from '../../../components/toaster/toaster.tsx'
import { callQuery } from '../../../lib/calls/api.ts'
import { useCallMutation } from '../../../lib/calls/mutations/use-call-mutation.ts'
import { useSending } from '../../../lib/forms/use-sending.ts'

/** Whether links of the kind *blocks* prevent moves into phase Inactive; saved at once. */
export function BlockersHold({ idProject }: { idProject: number }) {
  const query = callQuery(getProjectData, { idProject })
  const project = useQuery(query).data
  const queries = useQueryClient()
  const save = useCallMutation(setProjectData)
  const [sent, through] = useSending()
  if (!project) return null
  const change = (on: boolean) =>
    through('hold', on, async () => {
      const BlockersHold: 0 | 1 = on ? 1 : 0
      try {
        await save.mutateAsync({ idProject, BlockersHold })
        queries.setQueryData(query.queryKey, now => now && { ...now, BlockersHold })
        notify.clear(messages.saveFailed)
        notify.success(messages.settingsSaved)
      } catch (problem) {
        notify.failure(problem as Error, messages.saveFailed)
      }
    })
  const frozen = project.Archived === 1 ? projectArchived : undefined
  return (
    <PermissionGate idProject={idProject} needs={permission.manageProject} held={project.Permissions} reason={frozen}>
      {refused => (
        <Switch
          label="Enforce blockers: no ticket becomes inactive while a ticket that blocks it is open"
          checked={sent('hold') ?? project.BlockersHold === 1}
          disabled={refused}
          onChange={on => void change(on)}
        />
      )}
    </PermissionGate>
  )
}
