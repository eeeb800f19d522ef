import { PageContent } from '../../components/page-content/page-content.tsx'
import { PageHeading } from '../../components/page-content/page-heading.tsx'
import { usePageTitle } from '../../lib/navigation/page-title.ts'
import { PreferencesCard } from './cards/preferences-card.tsx'
import { ProfileCard } from './cards/profile-card.tsx'
import { SessionListCard } from './cards/session-list-card.tsx'
import styles from './profile-page.module.css'

export function ProfilePage() {
  usePageTitle('Your Profile')
  return (
    <PageContent maxWidth={1080}>
      <PageHeading className={styles.heading}>Your Profile</PageHeading>
      <div className={styles.cards}>
        <ProfileCard />
        <PreferencesCard />
        <div className={styles.wide}>
          <SessionListCard />
        </div>
      </div>
    </PageContent>
  )
}
