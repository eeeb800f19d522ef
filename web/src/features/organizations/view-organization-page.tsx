import Typography from '@mui/material/Typography'
import { PageContent } from '../session/page-content.tsx'

export function ViewOrganizationPage() {
  return (
    <PageContent title="Organization">
      <Typography variant="h1">Organization</Typography>
    </PageContent>
  )
}
