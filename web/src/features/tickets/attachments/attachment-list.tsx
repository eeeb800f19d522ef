import { permission } from '@tessera/contract/permissions'
import { attachmentDownload } from '@tessera/contract/tickets/attachments'
import { Suspense, useState } from 'react'
import { ButtonLink } from '../../../components/button/button.tsx'
import { AttachIcon, DownloadIcon } from '../../../components/icons/icons.tsx'
import { lazy } from '../../../components/lazy/lazy.tsx'
import { GatedIconButton } from '../../../components/permission-gate/gated-icon-button.tsx'
import { Tooltip } from '../../../components/tooltip/tooltip.tsx'
import { shortenAttachmentName } from '../../../lib/display/format.ts'
import { asButton } from '../../../lib/input/as-button.ts'
import type { Ticket } from '../ticket.ts'
import styles from './attachment-list.module.css'

const UploadAttachmentsDialog = lazy(async () => (await import('./upload-attachments-dialog.tsx')).UploadAttachmentsDialog)

/** The attachments as buttons that download them in a new window, and the button that adds more. */
export function AttachmentList({ ticket, blocked }: { ticket: Ticket; blocked: string | undefined }) {
  const [isUploading, upload] = useState(false)
  return (
    <div className={styles.list}>
      {ticket.Attachments.map(({ id, name }) => (
        <Tooltip key={id} title={`Download ${name}`} describeChild>
          <ButtonLink
            to={`${attachmentDownload.path}?id=${id}`}
            {...asButton}
            target="_blank"
            rel="noopener"
            // The name is shortened, and a screen reader that only passes by opens no tooltip.
            aria-description={name}
            className={styles.attachment}
          >
            {shortenAttachmentName(name)}
            <DownloadIcon fontSize="small" />
          </ButtonLink>
        </Tooltip>
      ))}
      <GatedIconButton
        label="Upload attachments"
        idProject={ticket.idProject}
        needs={permission.addAttachments}
        held={ticket.Permissions}
        reason={blocked}
        onClick={() => upload(true)}
        className={styles.add}
      >
        <AttachIcon />
      </GatedIconButton>
      <Suspense>{isUploading && <UploadAttachmentsDialog idTicket={ticket.idTicket} onClose={() => upload(false)} />}</Suspense>
    </div>
  )
}
