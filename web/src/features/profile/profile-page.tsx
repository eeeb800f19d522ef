import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { PageContent } from '../session/page-content.tsx'
import { PreferencesCard } from './preferences-card.tsx'
import { ProfileCard } from './profile-card.tsx'
import { SessionListCard } from './session-list-card.tsx'

export function ProfilePage() {
  return (
    <PageContent maxWidth={1080}>
      <Typography variant="h1" sx={{ mb: 2.5 }}>
        Your Profile
      </Typography>
      <Box sx={{ display: 'grid', gap: 2, alignItems: 'start', gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: '3fr 2fr' } }}>
        <ProfileCard />
        <PreferencesCard />
        <Box sx={{ gridColumn: '1 / -1', minWidth: 0 }}>
          <SessionListCard />
        </Box>
      </Box>
    </PageContent>
  )
}
