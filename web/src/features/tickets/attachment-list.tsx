import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import { attachmentDownload } from '@tessera/contract/attachments'
import { permission } from '@tessera/contract/permissions'
import { Suspense, useState } from 'react'
import { AttachIcon, DownloadIcon } from '../../components/icons.tsx'
import { lazy } from '../../components/lazy.tsx'
import { PermissionGate } from '../../components/permission-gate.tsx'
import { Tooltip } from '../../components/tooltip.tsx'
import { asButton } from '../../lib/as-button.ts'
import { shortenAttachmentName } from '../../lib/format.ts'
import type { Ticket } from './use-ticket-draft.ts'

const UploadAttachmentsDialog = lazy(async () => ({
  default: (await import('./upload-attachments-dialog.tsx')).UploadAttachmentsDialog,
}))

/** The attachments as buttons that download them in a window of their own, and the one that adds more. */
export function AttachmentList({ ticket, blocked }: { ticket: Ticket; blocked: string | undefined }) {
  const [isUploading, upload] = useState(false)
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, minWidth: 0 }}>
      {ticket.Attachments.map(({ id, name }) => (
        <Tooltip key={id} title={`Download ${name}`} describeChild>
          <Button
            component="a"
            {...asButton}
            href={`${attachmentDownload.path}?id=${id}`}
            target="_blank"
            rel="noopener"
            endIcon={<DownloadIcon fontSize="small" />}
            sx={{
              minHeight: 28,
              px: 1,
              fontSize: 12.5,
              fontWeight: 400,
              letterSpacing: 0,
              textTransform: 'none',
              bgcolor: 'background.default',
            }}
          >
            {shortenAttachmentName(name)}
          </Button>
        </Tooltip>
      ))}
      <PermissionGate idProject={ticket.idProject} needs={permission.addAttachments} held={ticket.Permissions} reason={blocked}>
        {refused => {
          const button = (
            <IconButton
              aria-label="Upload attachments"
              disabled={refused}
              onClick={() => upload(true)}
              // Alone, its picture stands where the values beside it begin.
              sx={ticket.Attachments.length === 0 ? { ml: -0.75 } : {}}
            >
              <AttachIcon />
            </IconButton>
          )
          return refused ? button : <Tooltip title="Upload attachments">{button}</Tooltip>
        }}
      </PermissionGate>
      <Suspense>{isUploading && <UploadAttachmentsDialog idTicket={ticket.idTicket} onClose={() => upload(false)} />}</Suspense>
    </Box>
  )
}
