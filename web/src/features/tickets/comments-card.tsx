import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Card from '@mui/material/Card'
import IconButton from '@mui/material/IconButton'
import Skeleton from '@mui/material/Skeleton'
import TextField from '@mui/material/TextField'
import { useQuery } from '@tanstack/react-query'
import type { Response } from '@tessera/contract/call'
import { getTicketComments, setTicketComment } from '@tessera/contract/comments'
import { limits } from '@tessera/contract/limits'
import { messages } from '@tessera/contract/messages'
import { permission } from '@tessera/contract/permissions'
import { type KeyboardEvent, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { ErrorState } from '../../components/error-state.tsx'
import { EditIcon, HistoryIcon } from '../../components/icons.tsx'
import { lazy } from '../../components/lazy.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { PermissionGate } from '../../components/permission-gate.tsx'
import { notify } from '../../components/toaster.tsx'
import { Tooltip } from '../../components/tooltip.tsx'
import { callQuery, SessionTimedOut, useCallMutation } from '../../lib/api.ts'
import { formatDateTime, initials } from '../../lib/format.ts'
import { useOlder } from '../../lib/use-older.ts'
import type { Ticket } from './use-ticket-draft.ts'

const CommentHistoryDialog = lazy(async () => ({ default: (await import('./comment-history-dialog.tsx')).CommentHistoryDialog }))

type Comment = Response<typeof getTicketComments>[number]

interface CommentsCardProps {
  ticket: Ticket
  blocked: string | undefined
  /** Tells whether something is typed here that is not saved. */
  onDirtyChange: (isDirty: boolean) => void
}

export function CommentsCard({ ticket, blocked, onDirtyChange }: CommentsCardProps) {
  const { idTicket } = ticket
  const comments = useQuery(callQuery(getTicketComments, { idTicket, Editable: 1 }))
  const older = useOlder(getTicketComments, { idTicket, Editable: 1 }, comments.data, ({ idComment }) => idComment)
  const [text, setText] = useState('')
  const [edited, edit] = useState<{ idComment: number; text: string; before: string }>()
  const [shown, show] = useState<number>()
  const isDirty = text.trim() !== '' || (edited !== undefined && edited.text !== edited.before)
  const tell = useEffectEvent(onDirtyChange)
  useEffect(() => tell(isDirty), [isDirty])

  return (
    <Card component="section" aria-label="Comments" sx={{ overflow: 'clip' }}>
      <Box sx={{ p: 1.75, borderBottom: 1, borderColor: 'divider' }}>
        <PermissionGate idProject={ticket.idProject} needs={permission.comment} held={ticket.Permissions} reason={blocked} isWide>
          {refused => (
            <CommentEditor
              idTicket={idTicket}
              label="Add comment"
              text={text}
              onChange={setText}
              disabled={refused}
              onSaved={() => setText('')}
            />
          )}
        </PermissionGate>
      </Box>
      {comments.isPending &&
        [0, 1].map(row => (
          <Box key={row} sx={{ p: 1.75 }} aria-hidden>
            <Skeleton width={180} height={16} />
            <Skeleton height={20} />
          </Box>
        ))}
      {comments.isError && !comments.data && (
        <ErrorState
          dense
          title="The comments could not be loaded"
          message={comments.error.message}
          onRetry={() => void comments.refetch()}
        />
      )}
      {comments.data?.length === 0 && (
        <Box sx={{ p: 1.75, fontSize: 13, color: 'text.secondary' }}>No comments yet. The first one starts the conversation.</Box>
      )}
      <Box component="ol" sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {[...(comments.data ?? []), ...older.rows].map(comment => (
          <Box
            component="li"
            key={comment.idComment}
            sx={{
              px: 1.75,
              py: 1.5,
              '& + &': { borderTop: 1, borderColor: 'hairline' },
            }}
          >
            <CommentHead
              comment={comment}
              mayEdit={comment.Editable === 1 && !blocked && ticket.Permissions.includes(permission.comment) && edited === undefined}
              onEdit={() => edit({ idComment: comment.idComment, text: comment.Comment, before: comment.Comment })}
              onHistory={() => show(comment.idComment)}
            />
            {edited?.idComment === comment.idComment ? (
              <CommentEditor
                idTicket={idTicket}
                idComment={comment.idComment}
                label="Edit comment"
                text={edited.text}
                before={edited.before}
                onChange={changed => edit({ ...edited, text: changed })}
                onSaved={() => edit(undefined)}
                onCancel={() => edit(undefined)}
              />
            ) : (
              <Box sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', unicodeBidi: 'plaintext' }}>{comment.Comment}</Box>
            )}
          </Box>
        ))}
      </Box>
      <MoreButton label="SHOW OLDER COMMENTS" list={older} />
      <Suspense>
        {shown !== undefined && <CommentHistoryDialog idTicket={idTicket} idComment={shown} onClose={() => show(undefined)} />}
      </Suspense>
    </Card>
  )
}

interface CommentHeadProps {
  comment: Comment
  mayEdit: boolean
  onEdit: () => void
  onHistory: () => void
}
function CommentHead({ comment, mayEdit, onEdit, onHistory }: CommentHeadProps) {
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.75, minHeight: 24, mb: 0.5, fontSize: 12, color: 'text.secondary' }}>
      <Box
        component="span"
        aria-hidden
        sx={{
          flex: 'none',
          display: 'grid',
          placeItems: 'center',
          width: 20,
          height: 20,
          borderRadius: '50%',
          bgcolor: 'soft',
          color: 'primary.main',
          fontSize: 10,
          fontWeight: 600,
        }}
      >
        {initials(comment.Author)}
      </Box>
      <span>
        {formatDateTime(comment.DateCreated)} - {comment.Author}
      </span>
      {comment.ChangeCount > 1 && (
        <Tooltip title={`Changed: ${comment.ChangeCount} versions`}>
          <IconButton size="small" aria-label="Versions of this comment" onClick={onHistory}>
            <HistoryIcon fontSize="small" />
          </IconButton>
        </Tooltip>
      )}
      {mayEdit && (
        <Tooltip title="Edit comment">
          <IconButton size="small" aria-label="Edit comment" onClick={onEdit} sx={{ ml: 'auto' }}>
            <EditIcon fontSize="small" />
          </IconButton>
        </Tooltip>
      )}
    </Box>
  )
}

interface CommentEditorProps {
  idTicket: number
  idComment?: number
  label: string
  text: string
  /** The stored text of a comment that is edited. */
  before?: string
  disabled?: boolean
  onChange: (text: string) => void
  onSaved: () => void
  onCancel?: () => void
}

/** The box a comment is written in; its text stays until it is stored. */
function CommentEditor({ idTicket, idComment, label, text, before, disabled = false, onChange, onSaved, onCancel }: CommentEditorProps) {
  const save = useCallMutation(setTicketComment)
  const [error, setError] = useState<string>()
  const isTooLong = new TextEncoder().encode(text.trim()).length > limits.comment
  const maySave = text.trim() !== '' && text !== before && !isTooLong
  const submit = () => {
    if (!maySave || save.isPending) return
    setError(undefined)
    save.mutate(
      { idTicket, Comment: text.trim(), ...(idComment && { idComment }) },
      {
        onSuccess: onSaved,
        onError: problem => {
          if (problem instanceof SessionTimedOut) return
          notify.error(messages.commentFailed)
          setError(problem.message)
        },
      },
    )
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit()
    if (event.key === 'Escape' && onCancel && (text === before || text.trim() === '')) onCancel()
  }
  return (
    <Box sx={{ display: 'grid', gap: 1, flex: 1, minWidth: 0 }}>
      <TextField
        label={label}
        placeholder="Write a comment…"
        multiline
        minRows={3}
        maxRows={16}
        value={text}
        disabled={disabled}
        autoFocus={idComment !== undefined}
        // What is added to a text comes after it.
        onFocus={({ target }) => target.value === before && target.setSelectionRange(target.value.length, target.value.length)}
        onChange={event => onChange(event.target.value)}
        onKeyDown={onKeyDown}
        error={isTooLong}
        helperText={isTooLong ? 'This comment is too long: at most 64 KiB' : undefined}
      />
      {error && (
        <Alert severity="error">
          {messages.commentFailed}
          <br />
          {error}
        </Alert>
      )}
      {(text.trim() !== '' || onCancel) && (
        <Box sx={{ display: 'flex', justifyContent: 'flex-end', gap: 1 }}>
          {onCancel && <Button onClick={onCancel}>CANCEL</Button>}
          <Button variant="contained" disabled={!maySave || save.isPending} aria-busy={save.isPending} onClick={submit}>
            SAVE
          </Button>
        </Box>
      )}
    </Box>
  )
}
