import { permission } from '@tessera/contract/permissions'
import { needsPermission } from '@tessera/contract/refusals'
import { useId, useRef, useState } from 'react'
import { Button } from '../../../components/button/button.tsx'
import { LeaveGuard } from '../../../components/leave-guard/leave-guard.tsx'
import { PageContent } from '../../../components/page-content/page-content.tsx'
import { PermissionGate } from '../../../components/permission-gate/permission-gate.tsx'
import { notify } from '../../../components/toaster/toaster.tsx'
import { useOffline } from '../../../lib/calls/reach.ts'
import { counted } from '../../../lib/display/format.ts'
import { titleRule } from '../../../lib/forms/field-rules.ts'
import { useActions } from '../../../lib/input/actions.ts'
import { usePageTitle } from '../../../lib/navigation/page-title.ts'
import { CommentsCard } from '../comments/comments-card.tsx'
import { isUploading } from '../text/editor/uploading.ts'
import { KeptNote } from '../text/kept-note.tsx'
import { useMentionCheck } from '../text/mentions/use-mention-check.tsx'
import { type DraftField, missingFor, refusalOf, type Ticket } from '../ticket.ts'
import { BlockedNote } from './blocked-note.tsx'
import { MoreAboutTicket } from './card/more-about-ticket.tsx'
import { TicketCard } from './card/ticket-card.tsx'
import { TicketColumns } from './card/ticket-columns.tsx'
import { TicketSummary, useIsPast } from './card/ticket-summary.tsx'
import { problemOfValue } from './fields/field-value.ts'
import { GoneNote } from './gone/gone-note.tsx'
import { NotificationToggle } from './heading/notification-toggle.tsx'
import { TicketHeading } from './heading/ticket-heading.tsx'
import { TicketMenu } from './heading/ticket-menu.tsx'
import { LinksCard } from './links/links-card.tsx'
import { SaveRefusal } from './save-refusal.tsx'
import styles from './ticket-detail.module.css'
import { useBlocked } from './use-blocked.ts'
import { useTicketDraft } from './use-ticket-draft.ts'
import { useTicketSave } from './use-ticket-save.ts'

const firstField = '[data-fields] :is(input, textarea, button[role=combobox]):enabled:not([readonly], [aria-readonly])'

/** Whether a changed value cannot be stored as it is. */
function isInvalid(ticket: Ticket, { draft, changed }: ReturnType<typeof useTicketDraft>) {
  return (
    titleRule(draft.Title) !== undefined ||
    ticket.Fields.some(({ Key, Renderer }) => {
      const value = changed[`data.${Key}`]
      return value !== undefined && problemOfValue(Renderer, value) !== undefined
    })
  )
}

/** The page of a loaded ticket. One that is gone meanwhile is shown for what was typed in it. */
export function TicketDetail({ ticket, isGone }: { ticket: Ticket; isGone: boolean }) {
  const { idTicket, idProject, pcode } = ticket
  const code = `${pcode}-${idTicket}`
  const draft = useTicketDraft(ticket)
  const save = useTicketSave(ticket, draft)
  const blocked = useBlocked(ticket, isGone)
  const { checked, question } = useMentionCheck(ticket)
  const isOffline = useOffline()
  const [isCommenting, setCommenting] = useState(false)
  const card = useRef<HTMLDivElement>(null)
  const isPast = useIsPast(card)

  const changes = Object.keys(draft.changed).length
  const changesId = useId()
  // The permission was taken away after the changes were made.
  const missing = blocked ? undefined : missingFor(draft.changed, ticket)
  // A picture is still being uploaded into a text.
  const isWaiting = Object.values(draft.changed).some(value => typeof value === 'string' && isUploading(value))
  const refusals: Partial<Record<DraftField, string>> = {}
  for (const { path, message } of save.problem?.fields ?? []) refusals[path as DraftField] = message

  const submit = () => {
    if (changes === 0 || save.isPending || blocked || isWaiting) return
    if (missing) return notify.error(needsPermission(missing))
    if (draft.clashes.length > 0 || isInvalid(ticket, draft)) {
      const first = card.current?.querySelector<HTMLElement>('[data-clash], [aria-invalid=true]')
      first?.focus()
      first?.scrollIntoView({ block: 'center' })
      return
    }
    const texts = ticket.Fields.flatMap(({ Key, Renderer, Value }) => {
      const after = draft.changed[`data.${Key}`]
      return Renderer === 'TEXTMULTILINE' && after !== undefined ? [{ before: Value, after }] : []
    })
    void checked(texts, save.send)
  }
  const uneditable = refusalOf(ticket, permission.editTickets, blocked)
  const edit = () => {
    const field = card.current?.querySelector<HTMLElement>(firstField) ?? document.getElementById('ticket-description')
    field?.focus()
    // A select opens its list.
    if (field?.matches('button')) field.click()
  }
  useActions([
    { keys: 'e', label: 'Edit the first field', refused: uneditable, run: edit },
    ...(blocked ? [] : [{ keys: 'Ctrl+S', label: 'Save the ticket', run: submit }]),
  ])
  usePageTitle(`${code} ${ticket.Title}`)

  return (
    <PageContent>
      {isOffline && (
        <p role="status" className={styles.offline}>
          You are offline. What you type is kept.
        </p>
      )}
      {question}
      <LeaveGuard isDirty={changes > 0 || isCommenting} isKept />
      <TicketColumns
        left={
          <>
            <div className={styles.head} data-dirty={changes > 0 || undefined} data-past={isPast || undefined}>
              <TicketHeading
                code={code}
                title={draft.draft.Title}
                readOnly={uneditable !== undefined}
                onChange={title => draft.set('Title', title)}
              />
              <div data-bottom-bar={changes > 0 || undefined} className={styles.actions}>
                <NotificationToggle ticket={ticket} />
                {changes > 0 && (
                  <span id={changesId} className={styles.changes}>
                    {counted(changes, 'change')}
                  </span>
                )}
                <PermissionGate idProject={idProject} needs={missing ?? permission.viewTickets} held={ticket.Permissions}>
                  {refused => (
                    <Button
                      variant="contained"
                      disabled={refused || changes === 0 || save.isPending || blocked !== undefined || isWaiting}
                      aria-busy={save.isPending}
                      aria-describedby={changes > 0 ? changesId : undefined}
                      onClick={submit}
                    >
                      {save.isPending ? 'SAVING...' : 'SAVE'}
                    </Button>
                  )}
                </PermissionGate>
                <TicketMenu ticket={ticket} blocked={blocked} onLeave={draft.reset} />
                {changes === 0 && (
                  <Button variant="text" className={styles.jump} onClick={() => document.getElementById('comments')?.focus()}>
                    COMMENTS
                  </Button>
                )}
              </div>
              {isPast && <TicketSummary ticket={ticket} />}
            </div>
            {blocked && <BlockedNote ticket={ticket} blocked={blocked} isGone={isGone} />}
            {save.problem && <SaveRefusal problem={save.problem} hasClashes={draft.clashes.length > 0} onClose={save.dismissProblem} />}
            <GoneNote ticket={ticket} draft={draft} />
            {draft.keptAt !== undefined && <KeptNote at={draft.keptAt} onDiscard={draft.reset} />}
            <div ref={card}>
              <TicketCard ticket={ticket} draft={draft} blocked={blocked} refusals={refusals} />
            </div>
            <LinksCard ticket={ticket} blocked={blocked} />
            <MoreAboutTicket ticket={ticket} blocked={blocked} />
          </>
        }
        right={<CommentsCard ticket={ticket} blocked={blocked} onDirtyChange={setCommenting} />}
      />
    </PageContent>
  )
}
