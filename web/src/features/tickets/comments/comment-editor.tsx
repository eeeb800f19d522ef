import { limits } from '@tessera/contract/limits'
import { messages } from '@tessera/contract/messages'
import { isBlank } from '@tessera/contract/names'
import { setTicketComment } from '@tessera/contract/tickets/comments'
import { type KeyboardEvent, useState } from 'react'
import { Alert } from '../../../components/alert/alert.tsx'
import { Button } from '../../../components/button/button.tsx'
import { notify } from '../../../components/toaster/toaster.tsx'
import { type CallError, SessionTimedOut } from '../../../lib/calls/api.ts'
import { useTicketMutation } from '../../../lib/calls/mutations/use-ticket-mutation.ts'
import { bytesProblem } from '../../../lib/forms/field-rules.ts'
import { isUploading } from '../text/editor/uploading.ts'
import { KeptNote } from '../text/kept-note.tsx'
import { useMentionCheck } from '../text/mentions/use-mention-check.tsx'
import { TextEditor } from '../text/text-editor.tsx'
import type { Ticket } from '../ticket.ts'
import styles from './comments-card.module.css'

/** The stored comment in a conflict's answer. */
interface StoredComment {
  Comment: string
  Version: number
}

interface CommentEditorProps {
  ticket: Ticket
  idComment?: number
  label: string
  text: string
  /** The stored text of the comment being edited. */
  before?: string
  /** The version of that text. */
  version?: number | undefined
  disabled?: boolean
  /** When the text was typed, if that was before the page was loaded. */
  keptAt?: number | undefined
  onDiscard: () => void
  onChange: (text: string) => void
  /** Called with the stored text and its version. */
  onSaved: (stored: string, version: number | undefined) => void
  /** Called when the stored text has changed: the next save replaces that. */
  onConflict?: (stored: StoredComment) => void
  onCancel?: () => void
}

/** The box a comment is written in; its text stays until it is stored. */
export function CommentEditor(props: CommentEditorProps) {
  const { ticket, idComment, label, text, before, version, disabled = false, keptAt } = props
  const { onChange, onDiscard, onSaved, onConflict, onCancel } = props
  const save = useTicketMutation(setTicketComment, ticket, { survivesReload: true })
  const [error, setError] = useState<string>()
  const [theirs, setTheirs] = useState<string>()
  const tooLong = bytesProblem(text, limits.comment)
  const maySave = !disabled && !isBlank(text) && text !== before && !tooLong && !isUploading(text)
  const { checked, question } = useMentionCheck(ticket)
  const submit = () => {
    if (maySave && !save.isPending) void checked([{ before: before ?? '', after: text }], () => void send())
  }
  // Not with callbacks of `mutate`: they are not called when the page is left meanwhile, and the stored text would be offered again.
  const send = async () => {
    setError(undefined)
    setTheirs(undefined)
    try {
      const { Version } = await save.mutateAsync({
        idTicket: ticket.idTicket,
        Comment: text,
        ...(idComment && { idComment, ...(version && { Version: version }) }),
      })
      notify.clear(messages.commentFailed)
      onSaved(text, Version)
    } catch (problem) {
      explain(problem as CallError)
    }
  }
  const explain = (problem: CallError) => {
    if (problem instanceof SessionTimedOut) return
    notify.error(messages.commentFailed)
    if (problem.code === 'conflict' && onConflict) {
      const stored = problem.body as StoredComment
      setTheirs(stored.Comment)
      return onConflict(stored)
    }
    if (problem.status === 404 && idComment)
      return setError('This comment was deleted meanwhile. Your text is kept here until you close it.')
    // The bar above the page already says so.
    if (problem.code !== 'network') setError(problem.message)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const isChord = event.ctrlKey || event.metaKey
    if (isChord && event.key === 'Enter') submit()
    // While a comment is being written, Ctrl+S saves it.
    if (isChord && event.key.toLowerCase() === 's' && !event.shiftKey && maySave) {
      event.preventDefault()
      submit()
    }
    if (event.key === 'Escape' && onCancel && (text === before || text.trim() === '')) onCancel()
  }
  return (
    <div className={styles.editor}>
      <TextEditor
        ticket={ticket}
        label={label}
        placeholder={disabled ? undefined : 'Write a comment…'}
        maxRows={16}
        value={text}
        disabled={disabled && text === ''}
        // It keeps the focus, and what was typed can still be copied.
        readOnly={disabled}
        autoFocus={idComment !== undefined}
        // Puts the caret at the end.
        onFocus={({ target }) => target.value === before && target.setSelectionRange(target.value.length, target.value.length)}
        onChange={onChange}
        onTick={disabled ? undefined : onChange}
        onKeyDown={onKeyDown}
        problem={tooLong}
      />
      {question}
      {keptAt !== undefined && text !== '' && <KeptNote at={keptAt} onDiscard={onDiscard} />}
      {theirs !== undefined && (
        <Alert severity="warning">
          This comment was changed in another window meanwhile. Your text is kept above; SAVE replaces the saved text:
          <q className={styles.theirs}>{theirs}</q>
        </Alert>
      )}
      {/* The message at the edge of the page says what failed; this says why. */}
      {error && <Alert severity="error">{error}</Alert>}
      {(text.trim() !== '' || onCancel) && (
        <div className={styles.buttons}>
          {onCancel && <Button onClick={onCancel}>CANCEL</Button>}
          <Button variant="contained" disabled={!maySave || save.isPending} aria-busy={save.isPending} onClick={submit}>
            SAVE
          </Button>
        </div>
      )}
    </div>
  )
}
