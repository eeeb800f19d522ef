import { useQuery } from '@tanstack/react-query'
import type { Response } from '@tessera/contract/call'
import { permission } from '@tessera/contract/permissions'
import {
  getPermissionTypes,
  getTicketFieldList,
  getTicketPropertyTypeList,
  getTicketStateList,
  getTicketTemplateList,
  getUserPermissions,
} from '@tessera/contract/projects/project-config'
import { getProjectData, setProjectData } from '@tessera/contract/projects/projects'
import { projectArchived } from '@tessera/contract/refusals'
import { useState } from 'react'
import { Alert } from '../../components/alert/alert.tsx'
import { Button } from '../../components/button/button.tsx'
import { ErrorState } from '../../components/empty-state/error-state.tsx'
import { NotFound } from '../../components/empty-state/not-found.tsx'
import { PageContent } from '../../components/page-content/page-content.tsx'
import { PageHeading } from '../../components/page-content/page-heading.tsx'
import { PermissionGate } from '../../components/permission-gate/permission-gate.tsx'
import { Skeleton } from '../../components/skeleton/skeleton.tsx'
import { notify } from '../../components/toaster/toaster.tsx'
import { callQuery } from '../../lib/calls/api.ts'
import { useCallMutation } from '../../lib/calls/mutations/use-call-mutation.ts'
import { hasUnsaved } from '../../lib/forms/unsaved.ts'
import { usePageTitle } from '../../lib/navigation/page-title.ts'
import { useIdInAddress } from '../../lib/navigation/use-navigation.ts'
import styles from './edit-project-page.module.css'
import { TicketFieldListCard } from './fields/ticket-field-list-card.tsx'
import { LabelListCard } from './labels/label-list-card.tsx'
import { ProjectMemberListCard } from './members/project-member-list-card.tsx'
import { UserPermissionsCard } from './permissions/user-permissions-card.tsx'
import type { ProjectRights } from './project-rights.ts'
import { ProjectRoleListCard } from './roles/project-role-list-card.tsx'
import { FirstSteps } from './set-up/first-steps.tsx'
import { ProjectSettingsCard } from './settings/project-settings-card.tsx'
import { TicketStateListCard } from './states/ticket-state-list-card.tsx'
import { TicketTemplateListCard } from './templates/ticket-template-list-card.tsx'

export function EditProjectPage() {
  const idProject = useIdInAddress()
  return idProject === undefined ? <NotFound noun="project" /> : <Loaded key={idProject} idProject={idProject} />
}

function Loaded({ idProject }: { idProject: number }) {
  const { data: project, error, refetch } = useQuery(callQuery(getProjectData, { idProject }))
  // The cards of the first row are drawn with their rows: what is below them would move when they come.
  const lists = [
    useQuery(callQuery(getTicketFieldList, { idProject })),
    useQuery(callQuery(getTicketStateList, { idProject })),
    useQuery(callQuery(getTicketTemplateList, { idProject })),
    useQuery({ ...callQuery(getTicketPropertyTypeList, {}), staleTime: 'static' }),
  ]
  const hasMatrix = project?.Permissions.includes(permission.managePermissions) === true
  const matrix = [
    useQuery({ ...callQuery(getUserPermissions, { idProject }), enabled: hasMatrix }),
    useQuery({ ...callQuery(getPermissionTypes, {}), enabled: hasMatrix, staleTime: 'static' }),
  ]
  const isLoading = [...lists, ...(hasMatrix ? matrix : [])].some(({ isPending }) => isPending)
  // A card that could not be loaded is pending again when it is drawn, which must not take the page away.
  const [isDrawn, draw] = useState(false)
  if (project && !isLoading && !isDrawn) draw(true)
  // What is being typed stays, so that it can be copied: a dialog says why it is not saved.
  if (error?.status === 404 && !(project && hasUnsaved())) return <NotFound noun="project" wasHere={project !== undefined} />
  if (project && isDrawn) return <Project project={project} />
  return (
    <PageContent>
      {error ? (
        <ErrorState isPage message={error.message} onRetry={() => void refetch()} />
      ) : (
        <div role="status" aria-label="Loading the project" className={styles.configuration}>
          {['fields', 'states', 'templates', 'permissions'].map(card => (
            <Skeleton key={card} height={320} />
          ))}
        </div>
      )}
    </PageContent>
  )
}

function Project({ project }: { project: Response<typeof getProjectData> }) {
  const { idProject, Title, ShortCode, Archived, Permissions } = project
  usePageTitle(`Edit ${Title}`)
  const rights: ProjectRights = {
    idProject,
    held: Permissions,
    frozen: Archived === 1 ? projectArchived : undefined,
  }
  return (
    <PageContent maxWidth={1880}>
      <div className={styles.heading}>
        <PageHeading>
          {Title} <span className={styles.code}>[{ShortCode}]</span>
        </PageHeading>
      </div>
      {Archived === 1 ? <ArchivedBanner rights={rights} /> : <FirstSteps rights={rights} className={styles.banner} />}
      <div className={styles.configuration}>
        <TicketFieldListCard rights={rights} />
        <TicketStateListCard rights={rights} />
        <TicketTemplateListCard rights={rights} />
        <UserPermissionsCard rights={rights} />
      </div>
      <h2 className={styles.section}>Project</h2>
      <div className={styles.project}>
        <ProjectMemberListCard rights={rights} />
        <ProjectRoleListCard rights={rights} />
        <LabelListCard rights={rights} />
        <ProjectSettingsCard rights={rights} project={project} />
      </div>
    </PageContent>
  )
}

function ArchivedBanner({ rights }: { rights: ProjectRights }) {
  const { idProject, held } = rights
  const restore = useCallMutation(setProjectData)
  return (
    <Alert
      severity="warning"
      className={styles.banner}
      action={
        <PermissionGate idProject={idProject} needs={permission.manageProject} held={held}>
          {isOff => (
            <Button
              disabled={isOff || restore.isPending}
              onClick={() =>
                restore.mutate(
                  { idProject, Archived: 0 },
                  {
                    onSuccess: () => notify.success('The project is back'),
                    onError: problem => notify.failure(problem),
                  },
                )
              }
            >
              RESTORE PROJECT
            </Button>
          )}
        </PermissionGate>
      }
    >
      This project is archived: it can be read and takes no changes.
    </Alert>
  )
}
