import Typography from '@mui/material/Typography'
import { PageContent } from '../session/page-content.tsx'

export function ViewProjectPage() {
  return (
    <PageContent title="Project">
      <Typography variant="h1">Project</Typography>
    </PageContent>
  )
}
