import { useQuery, useQueryClient } from '@tanstack/react-query'
import { messages } from '@tessera/contract/messages'
import { getClientConfig } from '@tessera/contract/people/session'
import { permission } from '@tessera/contract/permissions'
import { needsPermission } from '@tessera/contract/refusals'
import { attachmentUpload } from '@tessera/contract/tickets/attachments'
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { IconButton } from '../../../../components/icon-button/icon-button.tsx'
import { CloseIcon } from '../../../../components/icons/icons.tsx'
import { ProgressBar } from '../../../../components/progress-bar/progress-bar.tsx'
import { notify } from '../../../../components/toaster/toaster.tsx'
import { callQuery } from '../../../../lib/calls/api.ts'
import { upload } from '../../../../lib/calls/mutations/upload.ts'
import { problemOfFile } from '../../attachments/attachment-rules.ts'
import type { Ticket } from '../../ticket.ts'
import { applyEdit } from './apply-edit.ts'
import styles from './editor-tools.module.css'
import { placeholder, withBreaks } from './uploading.ts'

export interface PictureUploadsHandle {
  add: (files: readonly File[]) => void
  choose: () => void
}

interface PictureUploadsProps {
  ref: Ref<PictureUploadsHandle>
  area: { current: HTMLTextAreaElement | null }
  ticket: Ticket
}

interface Entry {
  /** The placeholder in the text. */
  mark: string
  /** Whether a line break was put before the pictures that were added together. */
  hasBreakBefore: boolean
  name: string
  percent: number
  stop: AbortController
}

/** Types that a page can show; other files become links. */
const pictures = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']

let count = 0

/** Pictures being uploaded into a text: each has a placeholder where it was dropped, and a progress bar under the text. */
export function PictureUploads({ ref, area, ticket }: PictureUploadsProps) {
  const queries = useQueryClient()
  const config = useQuery({ ...callQuery(getClientConfig, {}), staleTime: 'static' })
  const types = config.data?.limits.attachmentTypes ?? pictures
  const [entries, setEntries] = useState<readonly Entry[]>([])
  const picker = useRef<HTMLInputElement>(null)
  const running = useRef(new Set<AbortController>())
  useEffect(() => {
    const all = running.current
    return () => {
      for (const stop of all) stop.abort()
    }
  }, [])

  const replace = ({ mark, hasBreakBefore }: Entry, by: string) => {
    const element = area.current
    const at = element?.value.indexOf(mark) ?? -1
    if (!element || at < 0) return
    const { from, to } = by === '' ? withBreaks(element.value, mark, hasBreakBefore) : { from: at, to: at + mark.length }
    const { activeElement } = document
    const { selectionStart, selectionEnd } = element
    const moved = (place: number) => {
      if (place <= from) return place
      return place < to ? from + by.length : place + by.length - (to - from)
    }
    applyEdit(element, { from, to, insert: by, start: moved(selectionStart), end: moved(selectionEnd) })
    // Does not move the focus of a person who has moved on.
    if (activeElement !== element && activeElement instanceof HTMLElement) activeElement.focus({ preventScroll: true })
  }
  async function send(file: File, entry: Entry) {
    const { mark, stop } = entry
    const form = new FormData()
    form.append('idTicket', String(ticket.idTicket))
    form.append('file', file)
    running.current.add(stop)
    try {
      const { id, name } = await upload(attachmentUpload, form, {
        signal: stop.signal,
        onProgress: share => setEntries(now => now.map(one => (one.mark === mark ? { ...one, percent: Math.floor(share * 100) } : one))),
      })
      replace(entry, `${pictures.includes(file.type) ? '!' : ''}[${name.replaceAll(/[[\]\\]/g, '')}](attachment:${id})`)
      void queries.invalidateQueries()
    } catch (problem) {
      replace(entry, '')
      if (!stop.signal.aborted) notify.failure(problem as Error, messages.uploadFailed(file.name))
    } finally {
      running.current.delete(stop)
      setEntries(now => now.filter(one => one.mark !== mark))
    }
  }
  const add = async (files: readonly File[]) => {
    if (!ticket.Permissions.includes(permission.addAttachments)) return void notify.error(needsPermission(permission.addAttachments))
    // Files that were dropped before the tools were there come before the limits.
    const limits = (await queries.ensureQueryData(callQuery(getClientConfig, {})).catch(() => undefined))?.limits
    const element = area.current
    if (!element) return
    const before = element.value[element.selectionStart - 1]
    const hasBreakBefore = before !== undefined && before !== '\n'
    for (const file of files) {
      const problem = problemOfFile(file, limits?.attachmentTypes ?? pictures, limits?.attachmentMaxBytes ?? Number.POSITIVE_INFINITY)
      if (problem) {
        notify.error(problem)
        continue
      }
      count += 1
      const mark = placeholder(file.name, count)
      const { selectionStart: from, selectionEnd: to, value } = element
      const insert = `${from > 0 && value[from - 1] !== '\n' ? '\n' : ''}${mark}\n`
      applyEdit(element, { from, to, insert, start: from + insert.length, end: from + insert.length })
      const entry = { mark, hasBreakBefore, name: file.name, percent: 0, stop: new AbortController() }
      setEntries(now => [...now, entry])
      void send(file, entry)
    }
  }
  useImperativeHandle(ref, () => ({ add: files => void add(files), choose: () => picker.current?.click() }))
  return (
    <>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        tabIndex={-1}
        accept={types.filter(type => type.startsWith('image/')).join()}
        aria-label="Pictures"
        onChange={event => {
          void add([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
      {entries.length > 0 && (
        <ul aria-label="Pictures being uploaded" className={styles.uploads}>
          {entries.map(({ mark, name, percent, stop }) => (
            <li key={mark} className={styles.upload}>
              <span>{name}</span>
              <ProgressBar label={`Uploading ${name}`} value={percent} />
              <IconButton small aria-label={`Cancel ${name}`} onClick={() => stop.abort()}>
                <CloseIcon fontSize="small" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
