import Typography from '@mui/material/Typography'
import { PageContent } from '../session/page-content.tsx'

export function EditProjectPage() {
  return (
    <PageContent title="Edit project">
      <Typography variant="h1">Edit project</Typography>
    </PageContent>
  )
}
