import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { lazy } from '../../components/lazy/lazy.tsx'
import { PageContent } from '../../components/page-content/page-content.tsx'
import { PageHeading } from '../../components/page-content/page-heading.tsx'
import { useSession } from '../../lib/session/session.tsx'
import styles from './home-page.module.css'
import { OrganizationListCard } from './organization-list-card.tsx'
import { ProjectListCard, projectsWithCounts } from './project-list-card.tsx'
import { UserListCard } from './user-list-card.tsx'

const TicketLists = lazy(async () => (await import('./ticket-lists.tsx')).TicketLists)

export function HomePage() {
  const { organizationName, isManager, isAdmin, isSuper, displayName, projects } = useSession()
  const hasOrganizations = isManager || isSuper
  const hasPeople = isManager || isAdmin
  const { isPending } = useQuery({ ...projectsWithCounts, enabled: organizationName !== '' })
  return (
    <PageContent>
      <div className={styles.heading}>
        <PageHeading>Home</PageHeading>
        <p className={styles.where}>{organizationName ? `${displayName} in ${organizationName}` : displayName}</p>
      </div>
      <div
        className={styles.tiles}
        data-waiting={(organizationName !== '' && isPending) || undefined}
        data-all={(organizationName !== '' && hasOrganizations && hasPeople) || undefined}
      >
        {organizationName && <ProjectListCard />}
        {hasOrganizations && <OrganizationListCard />}
        {hasPeople && <UserListCard />}
      </div>
      {/* Rendered after the tiles, also if the projects could not be loaded. */}
      <Suspense>{!isPending && projects.length > 0 && <TicketLists />}</Suspense>
    </PageContent>
  )
}
