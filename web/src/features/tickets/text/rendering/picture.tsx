import { attachmentDownload } from '@tessera/contract/tickets/attachments'
import { useId, useState } from 'react'
import { Button } from '../../../../components/button/button.tsx'
import { Dialog, DialogActions, DialogContent, DialogTitle } from '../../../../components/dialog/dialog.tsx'
import type { Ticket } from '../../ticket.ts'
import { attachmentIn, ForeignLink } from './address.tsx'
import styles from './picture.module.css'

interface PictureProps {
  address: string
  name: string
  ticket: Ticket
}

/** A picture of the ticket, scaled; a click enlarges it. An external picture is only a link, because loading it would tell its server who reads. */
export function Picture({ address, name, ticket }: PictureProps) {
  const [isLarge, enlarge] = useState(false)
  const id = useId()
  const idAttachment = attachmentIn(address)
  if (idAttachment === undefined) return <ForeignLink address={address}>{name || address}</ForeignLink>
  const attachment = ticket.Attachments.find(entry => entry.id === Number(idAttachment))
  // It was deleted, or is another ticket's.
  if (!attachment) return name || 'picture'
  const label = name || attachment.name
  const source = `${attachmentDownload.path}?id=${idAttachment}&inline=1`
  // The size reserves the space before the picture has loaded.
  const pixels = ticket.Pictures?.find(entry => entry.id === attachment.id)
  const size = pixels && { width: pixels.Width, height: pixels.Height }
  return (
    <>
      <button type="button" className={styles.small} aria-label={`Open ${label}`} onClick={() => enlarge(true)}>
        <img src={source} alt={label} loading="lazy" {...size} />
      </button>
      {isLarge && (
        <Dialog onClose={() => enlarge(false)} maxWidth="xl" aria-labelledby={id} className={styles.dialog}>
          <DialogTitle id={id}>{label}</DialogTitle>
          <DialogContent className={styles.large}>
            <img src={source} alt={label} {...size} />
          </DialogContent>
          <DialogActions>
            <Button onClick={() => enlarge(false)}>CLOSE</Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  )
}
