import Typography from '@mui/material/Typography'
import { PageContent } from '../session/page-content.tsx'

export function ResetPasswordPage() {
  return (
    <PageContent title="Reset password">
      <Typography variant="h1">Reset password</Typography>
    </PageContent>
  )
}
