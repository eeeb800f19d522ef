import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { useSession } from '../../lib/session.tsx'
import { PageContent } from '../session/page-content.tsx'
import { OrganizationListCard } from './organization-list-card.tsx'
import { ProjectListCard } from './project-list-card.tsx'
import { UserListCard } from './user-list-card.tsx'

export function HomePage() {
  const { organizationName, isManager, isAdmin, isSuper, displayName } = useSession()
  return (
    <PageContent>
      <Box sx={{ mb: 2.5 }}>
        <Typography variant="h1">Home</Typography>
        <Typography sx={{ color: 'text.secondary' }}>{organizationName ? `${displayName} in ${organizationName}` : displayName}</Typography>
      </Box>
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          alignItems: 'start',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'repeat(auto-fit, minmax(min(360px, 100%), 1fr))' },
        }}
      >
        {organizationName && <ProjectListCard />}
        {(isManager || isSuper) && <OrganizationListCard />}
        {(isManager || isAdmin || isSuper) && <UserListCard />}
      </Box>
    </PageContent>
  )
}
