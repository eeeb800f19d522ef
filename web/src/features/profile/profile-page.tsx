import Typography from '@mui/material/Typography'
import { PageContent } from '../session/page-content.tsx'

export function ProfilePage() {
  return (
    <PageContent title="Your Profile">
      <Typography variant="h1">Your Profile</Typography>
    </PageContent>
  )
}
