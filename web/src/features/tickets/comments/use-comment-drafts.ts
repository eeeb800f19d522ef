import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { readKept, useKept } from '../../../lib/forms/drafts/kept.ts'
import { withoutUploads } from '../text/editor/uploading.ts'
import type { Edited } from './rows/comment-row.tsx'

interface Drafts {
  text: string
  edited?: Edited | undefined
}

/** What a person is writing under a ticket: a new comment and the edit of another one. This browser keeps both until they are stored. */
export function useCommentDrafts(idTicket: number, onDirtyChange: (isDirty: boolean) => void) {
  const place = `comment-${idTicket}`
  const [kept] = useState(() => readKept<Drafts>(place))
  const [text, showText] = useState(() => withoutUploads(kept?.value.text ?? ''))
  const [textKeptAt, setTextKeptAt] = useState(kept?.value.text ? kept.at : undefined)
  const [edited, edit] = useState<Edited | undefined>(() => {
    const before = kept?.value.edited
    return before && { ...before, text: withoutUploads(before.text), keptAt: kept.at }
  })
  // The answer to a save may come before the last key is rendered.
  const typed = useRef(text)
  const setText = (changed: string) => {
    typed.current = changed
    showText(changed)
  }
  const isEditDirty = edited !== undefined && edited.text !== edited.before
  const isDirty = text.trim() !== '' || isEditDirty
  const onceLeft = useKept<Drafts>(place, isDirty ? { text, edited: isEditDirty ? edited : undefined } : undefined)
  const report = useEffectEvent(onDirtyChange)
  useEffect(() => report(isDirty), [isDirty])
  return {
    text,
    setText,
    /** When the text was typed, if that was before the page was loaded. */
    textKeptAt,
    discardText: () => {
      setTextKeptAt(undefined)
      setText('')
    },
    /** Takes the stored comment out of the text. Returns what was typed since it was sent. */
    textSaved: (stored: string) => {
      const rest = typed.current.startsWith(stored) ? typed.current.slice(stored.length).trimStart() : typed.current
      setTextKeptAt(undefined)
      setText(rest)
      onceLeft(kept => (rest || kept.edited ? { ...kept, text: rest } : undefined))
      return rest
    },
    edited,
    /** Begins, changes or ends the edit. */
    edit,
    /** What was typed since the edit was sent is the next edit. */
    editSaved: (stored: string, version: number | undefined) => {
      const next = (now: Edited | undefined) =>
        now && now.text !== stored ? { ...now, before: stored, version: version ?? now.version, keptAt: undefined } : undefined
      edit(next)
      onceLeft(kept => (kept.text || next(kept.edited) ? { ...kept, edited: next(kept.edited) } : undefined))
    },
    /** Somebody else changed the comment: the edit is based on their text from now on. */
    editOver: (before: string, version: number) => edit(now => now && { ...now, before, version }),
  }
}
