import { useQuery } from '@tanstack/react-query'
import { getOrganizationData } from '@tessera/contract/people/organizations'
import { EmptyState } from '../../components/empty-state/empty-state.tsx'
import { ErrorState } from '../../components/empty-state/error-state.tsx'
import { FolderIcon } from '../../components/icons/icons.tsx'
import { PageContent } from '../../components/page-content/page-content.tsx'
import { RowList } from '../../components/row-list/row-list.tsx'
import { SectionCard } from '../../components/section-card/section-card.tsx'
import { Skeleton } from '../../components/skeleton/skeleton.tsx'
import { VisuallyHidden } from '../../components/visually-hidden/visually-hidden.tsx'
import { callQuery } from '../../lib/calls/api.ts'
import { usePageTitle } from '../../lib/navigation/page-title.ts'
import { Navigate, useIdInAddress } from '../../lib/navigation/use-navigation.ts'
import { useSession } from '../../lib/session/session.tsx'
import { BackupStatusCard } from './backup-status-card.tsx'
import { OrganizationMemberListCard } from './organization-member-list-card.tsx'
import { OrganizationTitle } from './organization-title.tsx'
import styles from './view-organization-page.module.css'

export function ViewOrganizationPage() {
  const idOrganization = useIdInAddress()
  return idOrganization === undefined ? <Navigate to="/home" /> : <Loaded key={idOrganization} idOrganization={idOrganization} />
}

function Loaded({ idOrganization }: { idOrganization: number }) {
  const session = useSession()
  const { data, error, refetch } = useQuery(callQuery(getOrganizationData, { idOrganization }))
  usePageTitle(data?.Title)
  // A person who may not see it is sent to home, as from an unknown address.
  if (error?.status === 404) return <Navigate to="/home" />
  if (!data) {
    return (
      <PageContent>
        {error ? (
          <ErrorState isPage message={error.message} onRetry={() => void refetch()} />
        ) : (
          <>
            <VisuallyHidden role="status">Loading the organization</VisuallyHidden>
            <Skeleton height={320} />
          </>
        )}
      </PageContent>
    )
  }
  // Projects can be opened only in the organization of the session.
  const isHere = idOrganization === session.idOrganization
  // A manager sees the names of all projects, but can open only their own.
  const mayOpen = (id: number) => isHere && (session.isAdmin || session.projects.some(project => project.id === id))
  return (
    <PageContent>
      <OrganizationTitle organization={data} />
      <div className={styles.cards}>
        <OrganizationMemberListCard organization={data} />
        <div className={styles.side}>
          <SectionCard title="Projects" count={data.Projects.length}>
            <RowList
              label="projects"
              rows={data.Projects.map(({ idProject, Title, ShortCode, Archived }) => ({
                id: idProject,
                icon: <FolderIcon />,
                text: Title,
                note: Archived === 1 ? `${ShortCode} · archived` : ShortCode,
              }))}
              path={id => (mayOpen(id) ? projectPath(id, data.Projects) : undefined)}
              empty={<EmptyState dense icon={<FolderIcon />} title="There are no projects yet" />}
            />
          </SectionCard>
          {session.isSuper && <BackupStatusCard />}
        </div>
      </div>
    </PageContent>
  )
}

/** An archived project leads to its settings, where it can be restored. */
function projectPath(id: number, projects: readonly { idProject: number; Archived: 0 | 1 }[]) {
  const isArchived = projects.some(({ idProject, Archived }) => idProject === id && Archived === 1)
  return isArchived ? `/edit-project/${id}` : `/view-project/${id}`
}
