import type { ReactNode } from 'react'
import { IconButton } from '../icon-button/icon-button.tsx'
import { DeleteIcon, EditIcon } from '../icons/icons.tsx'
import styles from './saved-row.module.css'

interface SavedRowProps {
  name: string
  /** Below the name, dimmed; at most three lines of it. */
  remark: ReactNode
  /** The handle to drag it by. */
  handle?: ReactNode
  /** Whether the person may not change it. */
  disabled: boolean
  onEdit: () => void
  onDelete: () => void
}

/** The content of a list item: something that was saved under a name, with buttons to edit and to delete it. */
export function SavedRow({ name, remark, handle, disabled, onEdit, onDelete }: SavedRowProps) {
  return (
    <div className={styles.row}>
      {handle}
      <span className={styles.name}>
        {name}
        <small>{remark}</small>
      </span>
      <IconButton small aria-label={`Edit ${name}`} disabled={disabled} onClick={onEdit}>
        <EditIcon fontSize="small" />
      </IconButton>
      <IconButton small aria-label={`Delete ${name}`} disabled={disabled} onClick={onDelete}>
        <DeleteIcon fontSize="small" />
      </IconButton>
    </div>
  )
}
