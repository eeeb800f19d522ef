import Typography from '@mui/material/Typography'
import { PageContent } from '../session/page-content.tsx'

export function ResetPasswordVerifyPage() {
  return (
    <PageContent title="Choose a new password">
      <Typography variant="h1">Choose a new password</Typography>
    </PageContent>
  )
}
