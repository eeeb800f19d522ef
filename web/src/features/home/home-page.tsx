import { PageContent } from '../../components/page-content/page-content.tsx'
import { PageHeading } from '../../components/page-content/page-heading.tsx'
import { useSession } from '../../lib/session.tsx'
import styles from './home-page.module.css'
import { OrganizationListCard } from './organization-list-card.tsx'
import { ProjectListCard } from './project-list-card.tsx'
import { UserListCard } from './user-list-card.tsx'

export function HomePage() {
  const { organizationName, isManager, isAdmin, isSuper, displayName } = useSession()
  return (
    <PageContent>
      <div className={styles.heading}>
        <PageHeading>Home</PageHeading>
        <p className={styles.where}>{organizationName ? `${displayName} in ${organizationName}` : displayName}</p>
      </div>
      <div className={styles.tiles}>
        {organizationName && <ProjectListCard />}
        {(isManager || isSuper) && <OrganizationListCard />}
        {(isManager || isAdmin || isSuper) && <UserListCard />}
      </div>
    </PageContent>
  )
}
