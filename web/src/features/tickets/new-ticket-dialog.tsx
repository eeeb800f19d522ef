import { FormDialog } from '../../components/form-dialog.tsx'

interface NewTicketDialogProps {
  open: boolean
  onClose: () => void
  idProject: number
  /** The ticket it becomes a child of. */
  idParent?: number
}

export function NewTicketDialog({ open, onClose }: NewTicketDialogProps) {
  return (
    <FormDialog open={open} title="New Ticket" submitLabel="ADD & CLOSE" onSubmit={onClose} onClose={onClose}>
      New Ticket
    </FormDialog>
  )
}
