import { useRef, useState } from 'react'
import { isSame } from '../../lib/forms/drafts/use-draft.ts'
import { useCloseWarning } from '../../lib/forms/unsaved.ts'
import { fitted, type Lists } from '../../lib/input/arrange.ts'

/** The order after the drops, shown until they are stored and the lists have been refetched: an older answer may still be on its way. */
export function useSettled(lists: Lists, onChange: (to: Lists) => unknown, readAt = Number.POSITIVE_INFINITY) {
  const [kept, keep] = useState<{ to: Lists; storedAt?: number } | null>(null)
  if (kept?.storedAt !== undefined && readAt > kept.storedAt) keep(null)
  useCloseWarning(kept !== null && kept.storedAt === undefined)
  const settled = fitted(kept?.to ?? lists, lists)
  const saving = useRef<Promise<unknown>>(undefined)
  /** Returns a promise if the order is stored by a call. */
  const take = (to: Lists): Promise<unknown> | undefined => {
    if (isSame(to, settled)) return
    // One after the other: the last order sent is the last one stored.
    const send = () => onChange(to)
    const answer = saving.current ? saving.current.then(send, send) : send()
    // A caller that returns no promise has already updated its lists.
    if (!(answer instanceof Promise)) return
    keep({ to })
    saving.current = answer
    const end = (isStored: boolean) => {
      if (saving.current !== answer) return
      saving.current = undefined
      keep(isStored ? { to, storedAt: Date.now() } : null)
    }
    answer.then(
      () => end(true),
      () => end(false),
    )
    return answer
  }
  return [settled, take] as const
}
