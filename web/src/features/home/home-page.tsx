import Typography from '@mui/material/Typography'
import { PageContent } from '../session/page-content.tsx'

export function HomePage() {
  return (
    <PageContent title="Home">
      <Typography variant="h1">Home</Typography>
    </PageContent>
  )
}
