import { useQueryClient } from '@tanstack/react-query'
import { messages } from '@tessera/contract/messages'
import { attachmentUpload } from '@tessera/contract/tickets/attachments'
import { useEffect, useRef, useState } from 'react'
import { notify } from '../../../components/toaster/toaster.tsx'
import { CallError, SessionTimedOut } from '../../../lib/calls/api.ts'
import { upload } from '../../../lib/calls/mutations/upload.ts'
import { uuid } from '../../../lib/calls/mutations/uuid.ts'
import { currentSession } from '../../../lib/session/session.tsx'

export interface Entry {
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

/** The files chosen for a ticket, and their uploads, each in its own request. Those under way end with the component. */
export function useUploads(idTicket: number) {
  const queries = useQueryClient()
  const [entries, setEntries] = useState<Entry[]>([])
  const [isStarted, start] = useState(false)
  const stop = useRef(new AbortController())
  useEffect(() => {
    const controller = new AbortController()
    stop.current = controller
    return () => controller.abort()
  }, [])

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
        if (problem instanceof SessionTimedOut && currentSession().reconnect !== 'canceled') continue
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

  return {
    entries,
    isStarted,
    isDone: isStarted && entries.every(({ status }) => status === 'finished' || status === 'failed'),
    add: (files: readonly File[]) =>
      setEntries(now => [...now, ...files.map(file => ({ key: uuid(), file, status: 'queued' as const, percent: 0 }))]),
    remove: (key: string) => setEntries(now => now.filter(entry => entry.key !== key)),
    uploadAll,
    retry,
  }
}
