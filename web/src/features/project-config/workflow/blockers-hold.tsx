import { useQuery } from '@tanstack/react-query'
import { messages } from '@tessera/contract/messages'
import { permission } from '@tessera/contract/permissions'
import { getProjectData, setProjectData } from '@tessera/contract/projects/projects'
import { projectArchived } from '@tessera/contract/refusals'
import { PermissionGate } from '../../../components/permission-gate/permission-gate.tsx'
import { Switch } from '../../../components/switch/switch.tsx'
import { notify } from '../../../components/toaster/toaster.tsx'
import { callQuery } from '../../../lib/calls/api.ts'
import { useCallMutation } from '../../../lib/calls/mutations/use-call-mutation.ts'

/** Whether links of the kind *blocks* prevent moves into phase Inactive; saved at once. */
export function BlockersHold({ idProject }: { idProject: number }) {
  const project = useQuery(callQuery(getProjectData, { idProject })).data
  const save = useCallMutation(setProjectData)
  if (!project) return null
  const isOn = (save.isPending ? save.variables.BlockersHold : project.BlockersHold) === 1
  const frozen = project.Archived === 1 ? projectArchived : undefined
  return (
    <PermissionGate idProject={idProject} needs={permission.manageProject} held={project.Permissions} reason={frozen}>
      {refused => (
        <Switch
          label="Enforce blockers: no ticket becomes inactive while a ticket that blocks it is open"
          checked={isOn}
          disabled={refused}
          onChange={on =>
            save.mutate(
              { idProject, BlockersHold: on ? 1 : 0 },
              {
                onSuccess: () => {
                  notify.clear(messages.saveFailed)
                  notify.success(messages.settingsSaved)
                },
                onError: problem => notify.failure(problem, messages.saveFailed),
              },
            )
          }
        />
      )}
    </PermissionGate>
  )
}
