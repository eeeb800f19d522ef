import { useQuery, useQueryClient } from '@tanstack/react-query'
import { messages } from '@tessera/contract/messages'
import { getClientConfig } from '@tessera/contract/people/session'
import { attachmentUpload } from '@tessera/contract/tickets/attachments'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Button } from '../../../components/button/button.tsx'
import { FormDialog } from '../../../components/form-dialog/form-dialog.tsx'
import { IconButton } from '../../../components/icon-button/icon-button.tsx'
import { AttachIcon, CheckCircleIcon, CloseIcon, ErrorIcon, UploadIcon } from '../../../components/icons/icons.tsx'
import { ProgressBar } from '../../../components/progress-bar/progress-bar.tsx'
import { Spinner } from '../../../components/spinner/spinner.tsx'
import { notify } from '../../../components/toaster/toaster.tsx'
import { CallError, callQuery, SessionTimedOut, upload } from '../../../lib/calls/api.ts'
import { formatBytes } from '../../../lib/display/format.ts'
import { currentSession } from '../../../lib/session/session.tsx'
import { uuid } from '../../../lib/uuid.ts'
import { problemOfFile } from './attachment-rules.ts'
import styles from './upload-attachments-dialog.module.css'

interface Entry {
  /** Identifies the file on the page, and is the idempotency key of its upload. */
  key: string
  file: File
  /** `checking`: everything is sent, and the server is inspecting it. */
  status: 'queued' | 'in progress' | 'checking' | 'finished' | 'failed'
  /** 0 to 100. */
  percent: number
  problem?: string | undefined
}

const atOnce = 3

/** Uploads several files, each in its own request. */
export function UploadAttachmentsDialog({ idTicket, onClose }: { idTicket: number; onClose: () => void }) {
  const queries = useQueryClient()
  const config = useQuery({ ...callQuery(getClientConfig, {}), staleTime: Number.POSITIVE_INFINITY })
  const types = config.data?.limits.attachmentTypes ?? ['image/jpeg']
  const maxBytes = config.data?.limits.attachmentMaxBytes ?? Number.POSITIVE_INFINITY
  const [entries, setEntries] = useState<Entry[]>([])
  const [isStarted, start] = useState(false)
  const [isOver, setOver] = useState(false)
  const [refused, refuse] = useState<string>()
  const picker = useRef<HTMLInputElement>(null)
  const stop = useRef(new AbortController())
  useEffect(() => {
    const controller = new AbortController()
    stop.current = controller
    return () => controller.abort()
  }, [])

  const isDone = isStarted && entries.every(({ status }) => status === 'finished' || status === 'failed')
  const add = (files: Iterable<File>) => {
    const given = [...files]
    if (isStarted || given.length === 0) return
    const problems: string[] = []
    const taken: Entry[] = []
    for (const file of given) {
      const problem = problemOfFile(file, types, maxBytes)
      if (problem) problems.push(problem)
      else taken.push({ key: uuid(), file, status: 'queued', percent: 0 })
    }
    refuse(problems.join(' ') || undefined)
    setEntries(now => [...now, ...taken])
  }
  const change = (key: string, patch: Partial<Entry>) =>
    setEntries(now => now.map(entry => (entry.key === key ? { ...entry, ...patch } : entry)))

  async function send({ key, file }: Entry) {
    const { signal } = stop.current
    for (;;) {
      change(key, { status: 'in progress', percent: 0, problem: undefined })
      const form = new FormData()
      form.append('idTicket', String(idTicket))
      form.append('file', file)
      try {
        await upload(attachmentUpload, form, {
          signal,
          idempotencyKey: key,
          onProgress: share => change(key, { percent: Math.floor(share * 100) }),
          onSent: () => change(key, { status: 'checking', percent: 100 }),
        })
        change(key, { status: 'finished', percent: 100 })
        return
      } catch (problem) {
        if (signal.aborted) return
        // The next attempt waits until the person has signed in again.
        if (problem instanceof SessionTimedOut && currentSession().reconnect !== 'cancelled') continue
        change(key, { status: 'failed', problem: problem instanceof CallError ? problem.message : 'The upload failed' })
        notify.error(messages.uploadFailed(file.name))
        return
      }
    }
  }
  async function uploadAll() {
    start(true)
    const waiting = [...entries]
    const worker = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) await send(next)
    }
    await Promise.all(Array.from({ length: atOnce }, worker))
    void queries.invalidateQueries()
  }

  // With the same key, so that a file that arrived before the connection broke is not stored twice.
  async function retry(entry: Entry) {
    await send(entry)
    void queries.invalidateQueries()
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
      open
      title="Upload Attachments"
      maxWidth="sm"
      submitLabel="UPLOAD"
      disabled={entries.length === 0 || isStarted}
      busy={isStarted && !isDone}
      canCancelWhileBusy
      cancelLabel={isDone ? 'CLOSE' : 'CANCEL'}
      isDirty={entries.length > 0 && !isDone}
      error={refused}
      onSubmit={() => void uploadAll()}
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
      <ul aria-label="Files to upload" className={styles.list}>
        {entries.map(entry => (
          <FileRow
            key={entry.key}
            entry={entry}
            onRetry={() => void retry(entry)}
            {...(!isStarted && { onRemove: () => setEntries(now => now.filter(({ key }) => key !== entry.key)) })}
          />
        ))}
      </ul>
    </FormDialog>
  )
}

function FileRow({ entry, onRetry, onRemove }: { entry: Entry; onRetry: () => void; onRemove?: () => void }) {
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
