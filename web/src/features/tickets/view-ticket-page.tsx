import Typography from '@mui/material/Typography'
import { PageContent } from '../session/page-content.tsx'

export function ViewTicketPage() {
  return (
    <PageContent title="Ticket Detail">
      <Typography variant="h1">Ticket Detail</Typography>
    </PageContent>
  )
}
