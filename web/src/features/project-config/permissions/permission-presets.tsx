import { useQueryClient } from '@tanstack/react-query'
import type { Response } from '@tessera/contract/call'
import { messages } from '@tessera/contract/messages'
import { type PermissionId, permissionName, permissionPresets } from '@tessera/contract/permissions'
import { type getUserPermissions, setUserPermissions } from '@tessera/contract/projects/project-config'
import { getProjectData } from '@tessera/contract/projects/projects'
import { Button } from '../../../components/button/button.tsx'
import { WithReason } from '../../../components/permission-gate/with-reason.tsx'
import { notify } from '../../../components/toaster/toaster.tsx'
import { undo } from '../../../components/toaster/undo.ts'
import { callQuery } from '../../../lib/calls/api.ts'
import { useCallMutation } from '../../../lib/calls/mutations/use-call-mutation.ts'
import { formatNumber } from '../../../lib/display/format.ts'
import type { ProjectRights } from '../project-rights.ts'
import styles from './permission-presets.module.css'

interface PermissionPresetsProps {
  rights: ProjectRights
  users: Response<typeof getUserPermissions>
  onDone: () => void
}

/** Sets the permissions of the selected members to those of a preset. */
export function PermissionPresets({ rights: { idProject, held }, users, onDone }: PermissionPresetsProps) {
  const set = useCallMutation(setUserPermissions)
  const queries = useQueryClient()
  const apply = (Permissions: readonly PermissionId[]) =>
    set.mutate(
      { idProject, Members: users.map(({ id }) => ({ idProjectMember: id, Permissions: [...Permissions] })) },
      {
        onSuccess: async ({ Before }) => {
          onDone()
          const heldNow = await queries.fetchQuery(callQuery(getProjectData, { idProject })).then(
            project => project.Permissions,
            () => held,
          )
          const Members = Before.map(member => ({ ...member, Before: [...Permissions] }))
          const lost = foreignChange(Before, Permissions, heldNow)
          notify.success(
            messages.permissionsUpdated,
            Before.length === 0 || lost !== undefined
              ? undefined
              : undo(() => set.mutateAsync({ idProject, Members }).then(() => messages.permissionsUpdated)),
          )
          if (lost !== undefined) notify.info(`You do not hold ${permissionName(lost)} anymore: somebody who does has to undo this`)
        },
        onError: problem => notify.failure(problem, problem.status === 422 ? messages.permissionsRefused : messages.permissionsBroken),
      },
    )
  return (
    <section aria-label="Selected users" className={styles.bar}>
      <span role="status">{formatNumber(users.length)} selected</span>
      <Button variant="text" onClick={onDone}>
        CLEAR
      </Button>
      <div className={styles.presets}>
        {permissionPresets.map(({ name, permissions }) => {
          const foreign = foreignChange(users, permissions, held)
          const button = (
            <Button key={name} disabled={set.isPending || foreign !== undefined} onClick={() => apply(permissions)}>
              {name}
            </Button>
          )
          if (foreign === undefined) return button
          return (
            <WithReason key={name} reason={`You do not hold ${permissionName(foreign)}, so you can neither grant nor revoke it`}>
              {button}
            </WithReason>
          )
        })}
      </div>
    </section>
  )
}

/** A permission that some of these people have without the preset, or the other way round, and that the person does not hold. */
function foreignChange(users: readonly { Permissions: readonly number[] }[], permissions: readonly number[], held: readonly number[]) {
  const changes = users.flatMap(({ Permissions }) => [
    ...permissions.filter(id => !Permissions.includes(id)),
    ...Permissions.filter(id => !permissions.includes(id)),
  ])
  return changes.find(id => !held.includes(id)) as PermissionId | undefined
}
