import { useRef } from 'react'
import { Button } from '../../../components/button/button.tsx'
import { IconButton } from '../../../components/icon-button/icon-button.tsx'
import { CheckCircleIcon, CloseIcon, ErrorIcon, UploadIcon } from '../../../components/icons/icons.tsx'
import { ProgressBar } from '../../../components/progress-bar/progress-bar.tsx'
import { Spinner } from '../../../components/spinner/spinner.tsx'
import { formatBytes } from '../../../lib/display/format.ts'
import styles from './upload-attachments-dialog.module.css'
import type { Entry } from './use-uploads.ts'

/** A chosen file and how far its upload is. */
export function FileRow({ entry, onRetry, onRemove }: { entry: Entry; onRetry: () => void; onRemove?: () => void }) {
  const { file, status, percent, problem } = entry
  const row = useRef<HTMLLIElement>(null)
  return (
    <li ref={row} tabIndex={-1} className={styles.file}>
      <div className={styles.status} data-status={status}>
        {status === 'queued' && <UploadIcon />}
        {(status === 'in progress' || status === 'checking') && (
          <span aria-hidden>
            <Spinner label="Uploading" size={16} />
          </span>
        )}
        {status === 'finished' && <CheckCircleIcon titleAccess="Finished" />}
        {status === 'failed' && <ErrorIcon titleAccess="Failed" />}
      </div>
      <div className={styles.words}>
        <div className={styles.name} title={file.name}>
          {file.name}
        </div>
        {status === 'in progress' && <ProgressBar label={`Uploading ${file.name}`} value={percent} className={styles.progress} />}
        {status === 'checking' && <ProgressBar label={`Checking ${file.name}`} className={styles.progress} />}
        {problem && <div className={styles.problem}>{problem}</div>}
      </div>
      <div className={styles.note}>
        {status === 'queued' && formatBytes(file.size)}
        {status === 'checking' && 'CHECKING'}
        {status === 'failed' && 'failed'}
        {(status === 'in progress' || status === 'finished') && `${percent}%`}
      </div>
      {status === 'failed' && (
        <Button
          aria-label={`RETRY ${file.name}`}
          onClick={() => {
            // The button disappears; the focus moves to the file.
            row.current?.focus()
            onRetry()
          }}
        >
          RETRY
        </Button>
      )}
      {onRemove && (
        <IconButton small aria-label={`Remove ${file.name}`} onClick={onRemove}>
          <CloseIcon fontSize="small" />
        </IconButton>
      )}
    </li>
  )
}
