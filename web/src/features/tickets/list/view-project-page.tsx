import { useQuery } from '@tanstack/react-query'
import { permission } from '@tessera/contract/permissions'
import { getProjectData } from '@tessera/contract/projects/projects'
import { projectArchived } from '@tessera/contract/refusals'
import { queryTickets } from '@tessera/contract/tickets/tickets'
import { memo, useState } from 'react'
import { Button } from '../../../components/button/button.tsx'
import { EmptyState } from '../../../components/empty-state/empty-state.tsx'
import { ErrorState } from '../../../components/empty-state/error-state.tsx'
import { NotFound } from '../../../components/empty-state/not-found.tsx'
import {
  AddIcon,
  ChartIcon,
  CheckIcon,
  DeleteIcon,
  DownloadIcon,
  HistoryIcon,
  ListIcon,
  SettingsIcon,
} from '../../../components/icons/icons.tsx'
import { lazy } from '../../../components/lazy/lazy.tsx'
import { MoreMenu } from '../../../components/menu/more-menu.tsx'
import { PageContent } from '../../../components/page-content/page-content.tsx'
import { PageHeading } from '../../../components/page-content/page-heading.tsx'
import { PermissionGate } from '../../../components/permission-gate/permission-gate.tsx'
import { notify } from '../../../components/toaster/toaster.tsx'
import { callQuery } from '../../../lib/calls/api.ts'
import { counted } from '../../../lib/display/format.ts'
import { currentPage, navigate } from '../../../lib/navigation/navigation.ts'
import { usePageTitle } from '../../../lib/navigation/page-title.ts'
import { useIdInAddress } from '../../../lib/navigation/use-navigation.ts'
import { useSearch } from '../../../lib/navigation/use-search.ts'
import { permissionsIn, useSession } from '../../../lib/session/session.tsx'
import { beginSelection } from '../selection/selection.ts'
import { TicketList } from './ticket-list.tsx'
import { isOfDates, readView } from './view/ticket-view.ts'
import styles from './view-project-page.module.css'

const NewTicketDialog = lazy(async () => (await import('../new/new-ticket-dialog.tsx')).NewTicketDialog)
const TrashDialog = lazy(async () => (await import('../trash/trash-dialog.tsx')).TrashDialog)

/** Each import after the first is answered by the first. */
const loadTicketPage = () => void import('../ticket/view-ticket-page.tsx').catch(() => undefined)

export { takeProject } from '../first-data.ts'

export function ViewProjectPage() {
  const idProject = useIdInAddress()
  return idProject === undefined ? <NotFound noun="project" /> : <Project key={idProject} idProject={idProject} />
}

/** Memoized, so that it is not re-rendered while another page is loading. */
const Project = memo(function Project({ idProject }: { idProject: number }) {
  const session = useSession()
  const known = session.projects.find(({ id }) => id === idProject)
  const { data: project, error, refetch } = useQuery(callQuery(getProjectData, { idProject }))
  const [isAdding, add] = useState(false)
  const title = project?.Title ?? known?.Title ?? ''
  const code = project?.ShortCode ?? known?.shortcode
  usePageTitle(title)
  // The session's membership is enough to show the list; the project's settings load in addition.
  // What is typed into the dialog stays.
  if (error?.status === 404 && !(isAdding && project)) return <NotFound noun="project" wasHere={project !== undefined} />
  if (error && !project && !known)
    return (
      <PageContent>
        <ErrorState isPage message={error.message} onRetry={() => void refetch()} />
      </PageContent>
    )

  const held = project?.Permissions ?? permissionsIn(session, idProject)
  const archived = project?.Archived === 1 ? projectArchived : undefined
  const addButton = (label: string, look: 'outlined' | 'contained') => (
    <PermissionGate idProject={idProject} needs={permission.createTickets} held={held} reason={archived}>
      {refused => (
        <Button
          variant={look}
          disabled={refused}
          onClick={() => add(true)}
          className={refused || look === 'contained' ? undefined : styles.add}
        >
          {label}
        </Button>
      )}
    </PermissionGate>
  )
  return (
    <PageContent>
      <TicketList
        idProject={idProject}
        label={`Tickets of ${title}`}
        onApproach={loadTicketPage}
        heading={
          <div className={styles.heading}>
            <PageHeading className={styles.title}>
              {title} {code && <span className={styles.code}>[{code}]</span>}
            </PageHeading>
            {/* Room for the count, which comes later: nothing moves then. */}
            <span className={styles.count}>
              <TicketCount idProject={idProject} />
              {archived && ' · archived'}
            </span>
          </div>
        }
        actions={
          <>
            {addButton('ADD TICKET', 'outlined')}
            <ProjectMenu idProject={idProject} permissions={held ?? []} />
          </>
        }
        empty={
          archived ? (
            <EmptyState icon={<ListIcon />} title="There are no tickets yet">
              {archived}.
            </EmptyState>
          ) : (
            <EmptyState icon={<AddIcon />} title="There are no tickets yet" action={addButton('ADD THE FIRST TICKET', 'contained')}>
              Add the first ticket to get this project started.
            </EmptyState>
          )
        }
      />
      {isAdding && <NewTicketDialog idProject={idProject} onClose={() => add(false)} />}
    </PageContent>
  )
})

/** The project's total number of tickets; a separate component, so that the list is not re-rendered for it. */
function TicketCount({ idProject }: { idProject: number }) {
  const { data } = useQuery(callQuery(queryTickets, { idProject, Phases: [1, 2, 3], Limit: 1 }))
  return data?.Total !== undefined && counted(data.Total, 'ticket')
}

/** The address of the charts for the list's query. */
function chartsPath(idProject: number) {
  const q = new URLSearchParams(currentPage().location.search).get('q')
  return `/project-charts/${idProject}${q ? `?${new URLSearchParams({ q })}` : ''}`
}

/** Any of these permissions allows configuring the project. */
const configuring: readonly number[] = [
  permission.manageFields,
  permission.manageStates,
  permission.manageTemplates,
  permission.managePermissions,
  permission.manageProject,
]

/** The menu of rarely needed actions on the project's page. */
function ProjectMenu({ idProject, permissions }: { idProject: number; permissions: readonly number[] }) {
  const { isAdmin } = useSession()
  const [isTrash, showTrash] = useState(false)
  const [search] = useSearch()
  const hasSelection = !isOfDates(readView(search).layout)
  // An organization admin has it in the title bar.
  const isConfigurer = !isAdmin && permissions.some(id => configuring.includes(id))
  return (
    <>
      <MoreMenu
        choices={[
          {
            key: 'export',
            label: 'Export as CSV',
            icon: <DownloadIcon />,
            onChoose: () =>
              void import('./export-csv.ts')
                .then(({ exportCsv }) => exportCsv(idProject))
                .catch((problem: Error) => notify.failure(problem)),
          },
          {
            key: 'select',
            label: 'Select',
            icon: <CheckIcon />,
            isDisabled: !hasSelection,
            note: hasSelection ? undefined : 'Tickets are selected in the list or on the board',
            onChoose: () => beginSelection(idProject),
          },
          { key: 'charts', label: 'Charts', icon: <ChartIcon />, onChoose: () => void navigate(chartsPath(idProject)) },
          {
            key: 'changes',
            label: 'Changes',
            icon: <HistoryIcon />,
            onChoose: () => void navigate(`/project-changes/${idProject}`),
          },
          ...(isConfigurer
            ? [{ key: 'edit', label: 'Edit project', icon: <SettingsIcon />, onChoose: () => void navigate(`/edit-project/${idProject}`) }]
            : []),
          ...(permissions.includes(permission.deleteTickets)
            ? [{ key: 'trash', label: 'Trash', icon: <DeleteIcon />, onChoose: () => showTrash(true) }]
            : []),
        ]}
      />
      {isTrash && <TrashDialog idProject={idProject} onClose={() => showTrash(false)} />}
    </>
  )
}
