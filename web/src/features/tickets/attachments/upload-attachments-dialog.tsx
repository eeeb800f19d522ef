import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getClientConfig } from '@tessera/contract/people/session'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Button } from '../../../components/button/button.tsx'
import { FormDialog } from '../../../components/form-dialog/form-dialog.tsx'
import { AttachIcon } from '../../../components/icons/icons.tsx'
import { callQuery } from '../../../lib/calls/api.ts'
import { formatBytes } from '../../../lib/display/format.ts'
import { problemOfFile } from './attachment-rules.ts'
import { FileRow } from './file-row.tsx'
import styles from './upload-attachments-dialog.module.css'
import { useUploads } from './use-uploads.ts'

/** Uploads several files, each in its own request. */
export function UploadAttachmentsDialog({ idTicket, onClose }: { idTicket: number; onClose: () => void }) {
  const queries = useQueryClient()
  const config = useQuery({ ...callQuery(getClientConfig, {}), staleTime: 'static' })
  const types = config.data?.limits.attachmentTypes ?? ['image/jpeg']
  const maxBytes = config.data?.limits.attachmentMaxBytes ?? Number.POSITIVE_INFINITY
  const { entries, isStarted, isDone, ...uploads } = useUploads(idTicket)
  const [isOver, setOver] = useState(false)
  const [refused, refuse] = useState<string>()
  const picker = useRef<HTMLInputElement>(null)

  const add = (files: Iterable<File>) => {
    const given = [...files]
    if (isStarted || given.length === 0) return
    const problems = given.map(file => problemOfFile(file, types, maxBytes))
    refuse(problems.filter(Boolean).join(' ') || undefined)
    uploads.add(given.filter((_, position) => !problems[position]))
  }
  const addMore = useEffectEvent(add)
  const over = useEffectEvent((isNow: boolean) => setOver(isNow && !isStarted))
  // Anywhere on the page: a file dropped beside the box would replace the page.
  useEffect(() => {
    const ended = new AbortController()
    const { signal } = ended
    const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true
    const onDragOver = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      over(true)
    }
    const onDrop = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      over(false)
      addMore(event.dataTransfer?.files ?? [])
    }
    document.addEventListener('dragover', onDragOver, { signal })
    document.addEventListener('dragleave', ({ relatedTarget }) => relatedTarget === null && over(false), { signal })
    document.addEventListener('drop', onDrop, { signal })
    document.addEventListener('paste', ({ clipboardData }) => addMore(clipboardData?.files ?? []), { signal })
    return () => ended.abort()
  }, [])
  return (
    <FormDialog
      title="Upload Attachments"
      maxWidth="sm"
      submitLabel="UPLOAD"
      disabled={entries.length === 0 || isStarted}
      busy={isStarted && !isDone}
      canCancelWhileBusy
      cancelLabel={isDone ? 'CLOSE' : 'CANCEL'}
      isDirty={entries.length > 0 && !isDone}
      error={refused}
      onSubmit={() => void uploads.uploadAll()}
      onClose={() => {
        // Those that have arrived stay.
        if (isStarted && !isDone) void queries.invalidateQueries()
        onClose()
      }}
    >
      <div className={styles.place} data-over={isOver || undefined}>
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          // Otherwise the dialog's focus trap would take it for the first tab stop, and get stuck on an element that cannot be focused.
          tabIndex={-1}
          accept={types.join()}
          aria-label="Files"
          onChange={event => {
            add(event.target.files ?? [])
            event.target.value = ''
          }}
        />
        <Button autoFocus disabled={isStarted} onClick={() => picker.current?.click()}>
          <AttachIcon fontSize="small" />
          SELECT FILES
        </Button>
        <div className={styles.note}>
          or drag them here, or paste. Accepted: {types.map(type => type.replace(/^.*\//, '').toUpperCase()).join(', ')}
          {Number.isFinite(maxBytes) && `, up to ${formatBytes(maxBytes)} each`}
        </div>
      </div>
      <ul aria-label="Files to upload">
        {entries.map(entry => (
          <FileRow
            key={entry.key}
            entry={entry}
            onRetry={() => void uploads.retry(entry)}
            {...(!isStarted && { onRemove: () => uploads.remove(entry.key) })}
          />
        ))}
      </ul>
    </FormDialog>
  )
}
