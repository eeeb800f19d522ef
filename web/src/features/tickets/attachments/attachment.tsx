import { attachmentDownload, deleteAttachment, restoreAttachment } from '@tessera/contract/tickets/attachments'
import { useId } from 'react'
import { ButtonLink } from '../../../components/button/button.tsx'
import { IconButton } from '../../../components/icon-button/icon-button.tsx'
import { DeleteIcon, DownloadIcon } from '../../../components/icons/icons.tsx'
import { notify } from '../../../components/toaster/toaster.tsx'
import { undo } from '../../../components/toaster/undo.ts'
import { Tooltip } from '../../../components/tooltip/tooltip.tsx'
import { useCallMutation } from '../../../lib/calls/mutations/use-call-mutation.ts'
import { counted, shortenAttachmentName } from '../../../lib/display/format.ts'
import { asButton } from '../../../lib/input/as-button.ts'
import styles from './attachment-list.module.css'

interface AttachmentProps {
  idTicket: number
  id: number
  name: string
  mayDelete: boolean
}

/** An attachment as a button that downloads it in a new window, with one that deletes it. */
export function Attachment({ idTicket, id, name, mayDelete }: AttachmentProps) {
  const idName = useId()
  const remove = useCallMutation(deleteAttachment)
  const restore = useCallMutation(restoreAttachment)
  const input = { idTicket, idAttachment: id }
  const deleteIt = () =>
    remove.mutate(input, {
      onSuccess: ({ Shown }) =>
        notify.success(
          `${name} was deleted${Shown > 0 ? `. ${counted(Shown, 'text')} had shown it` : ''}`,
          undo(() => restore.mutateAsync(input).then(() => `${name} is back`)),
        ),
      onError: problem => notify.failure(problem),
    })
  return (
    <span className={styles.attachment}>
      <Tooltip title={`Download ${name}`} describeChild>
        <ButtonLink
          to={`${attachmentDownload.path}?id=${id}`}
          {...asButton}
          target="_blank"
          rel="noopener"
          id={idName}
          // The name is shortened, and a screen reader that only passes by opens no tooltip.
          aria-description={name}
          className={styles.download}
        >
          {shortenAttachmentName(name)}
          <DownloadIcon fontSize="small" />
        </ButtonLink>
      </Tooltip>
      {mayDelete && (
        <Tooltip title="Delete attachment">
          <IconButton
            small
            aria-label="Delete attachment"
            aria-describedby={idName}
            disabled={remove.isPending}
            // The second click of a double click would delete the attachment that has moved here.
            onClick={({ detail }) => detail < 2 && deleteIt()}
          >
            <DeleteIcon fontSize="small" />
          </IconButton>
        </Tooltip>
      )}
    </span>
  )
}
