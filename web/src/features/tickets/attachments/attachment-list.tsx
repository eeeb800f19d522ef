import { permission } from '@tessera/contract/permissions'
import { useState } from 'react'
import { AttachIcon } from '../../../components/icons/icons.tsx'
import { lazy } from '../../../components/lazy/lazy.tsx'
import { GatedIconButton } from '../../../components/permission-gate/gated-icon-button.tsx'
import { useActions } from '../../../lib/input/actions.ts'
import { refusalOf, type Ticket } from '../ticket.ts'
import { Attachment } from './attachment.tsx'
import styles from './attachment-list.module.css'

const UploadAttachmentsDialog = lazy(async () => (await import('./upload-attachments-dialog.tsx')).UploadAttachmentsDialog)

/** The attachments, and the button that adds more. */
export function AttachmentList({ ticket, blocked }: { ticket: Ticket; blocked: string | undefined }) {
  const [isUploading, upload] = useState(false)
  const { idTicket, Attachments, OwnAttachments = [], Permissions } = ticket
  useActions([{ label: 'Upload attachments', refused: refusalOf(ticket, permission.addAttachments, blocked), run: () => upload(true) }])
  const mayDelete = (id: number) => {
    if (blocked !== undefined) return false
    return (
      Permissions.includes(permission.manageProject) || (OwnAttachments.includes(id) && Permissions.includes(permission.addAttachments))
    )
  }
  return (
    <div className={styles.list}>
      {Attachments.map(({ id, name }) => (
        <Attachment key={id} idTicket={idTicket} id={id} name={name} mayDelete={mayDelete(id)} />
      ))}
      <GatedIconButton
        label="Upload attachments"
        idProject={ticket.idProject}
        needs={permission.addAttachments}
        held={Permissions}
        reason={blocked}
        onClick={() => upload(true)}
        className={styles.add}
      >
        <AttachIcon />
      </GatedIconButton>
      {isUploading && <UploadAttachmentsDialog idTicket={idTicket} onClose={() => upload(false)} />}
    </div>
  )
}
