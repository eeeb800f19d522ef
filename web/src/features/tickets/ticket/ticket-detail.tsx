import { useQuery, useQueryClient } from '@tanstack/react-query'
import { messages } from '@tessera/contract/messages'
import { permission, permissionName } from '@tessera/contract/permissions'
import { getLabelList } from '@tessera/contract/projects/labels'
import { getTicketStateList } from '@tessera/contract/projects/project-config'
import { getProjectData } from '@tessera/contract/projects/projects'
import { getTicketData, setTicketData } from '@tessera/contract/tickets/tickets'
import { Suspense, useId, useRef, useState } from 'react'
import { Alert } from '../../../components/alert/alert.tsx'
import { Button } from '../../../components/button/button.tsx'
import { IconButton } from '../../../components/icon-button/icon-button.tsx'
import { CloseIcon } from '../../../components/icons/icons.tsx'
import { lazy } from '../../../components/lazy/lazy.tsx'
import { LeaveGuard } from '../../../components/leave-guard/leave-guard.tsx'
import { PageContent } from '../../../components/page-content/page-content.tsx'
import { PermissionGate } from '../../../components/permission-gate/permission-gate.tsx'
import { Skeleton } from '../../../components/skeleton/skeleton.tsx'
import { notify } from '../../../components/toaster/toaster.tsx'
import { type CallError, callQuery, SessionTimedOut, useCallMutation } from '../../../lib/calls/api.ts'
import { useOffline } from '../../../lib/calls/reach.ts'
import { counted } from '../../../lib/display/format.ts'
import { titleRule } from '../../../lib/forms/field-rules.ts'
import { useActions } from '../../../lib/input/actions.ts'
import { navigate } from '../../../lib/navigation/navigation.ts'
import { usePageTitle } from '../../../lib/navigation/page-title.ts'
import { CommentsCard } from '../comments/comments-card.tsx'
import { isUploading } from '../text/editor/uploading.ts'
import { KeptNote } from '../text/kept-note.tsx'
import { useMentionCheck } from '../text/mentions/use-mention-check.tsx'
import { type DraftField, missingFor, refusalOf, saveRequest, type Ticket, withSaved } from '../ticket.ts'
import { TrashedTicketActions } from '../trash/trashed-ticket-actions.tsx'
import { MoreAboutTicket } from './card/more-about-ticket.tsx'
import { TicketCard } from './card/ticket-card.tsx'
import { TicketColumns } from './card/ticket-columns.tsx'
import { TicketSummary, useIsPast } from './card/ticket-summary.tsx'
import { problemOfValue } from './fields/field-value.ts'
import { GoneNote } from './gone/gone-note.tsx'
import { NotificationToggle } from './heading/notification-toggle.tsx'
import { TicketHeading } from './heading/ticket-heading.tsx'
import { TicketMenu } from './heading/ticket-menu.tsx'
import { BlockedRefusal } from './links/blocked-refusal.tsx'
import styles from './ticket-detail.module.css'
import { useTicketDraft } from './use-ticket-draft.ts'

const LinksCard = lazy(async () => ({ default: (await import('./links/links-card.tsx')).LinksCard }))
const partGone = 'Something among your changes was deleted meanwhile. Nothing was saved: save the rest again.'
const firstField = '[data-fields] :is(input, textarea, button[role=combobox]):enabled:not([readonly], [aria-readonly])'

/** The ticket exists, but not everything that the save names. */
function isAboutPart({ code, fields }: CallError) {
  return code === 'not_found' && fields.length > 0
}

/** The page of a loaded ticket. One that is gone meanwhile is shown for what was typed in it. */
export function TicketDetail({ ticket, isGone }: { ticket: Ticket; isGone: boolean }) {
  const { idTicket, idProject, pcode } = ticket
  const code = `${pcode}-${idTicket}`
  const queries = useQueryClient()
  const draft = useTicketDraft(ticket)
  const save = useCallMutation(setTicketData)
  // Selects one flag, so that the page re-renders only if the project turns out to be archived.
  const { data: isArchived } = useQuery({
    ...callQuery(getProjectData, { idProject }),
    staleTime: 60_000,
    select: ({ Archived }) => Archived === 1 || undefined,
  })
  const { checked, question } = useMentionCheck(ticket)
  const [problem, setProblem] = useState<CallError>()
  const isOffline = useOffline()
  const [isCommenting, setCommenting] = useState(false)
  const card = useRef<HTMLDivElement>(null)
  const isSending = useRef(false)

  const isPast = useIsPast(card)

  const blocked = isGone
    ? 'This ticket was deleted meanwhile, or you are no longer a member of its project. What you typed cannot be saved: copy it from here'
    : ticket.Trashed
      ? 'This ticket is in the trash and takes no changes'
      : isArchived
        ? 'This project is archived and takes no changes'
        : undefined
  const changes = Object.keys(draft.changed).length
  const changesId = useId()
  // The permission was taken away after the changes were made.
  const missing = blocked ? undefined : missingFor(draft.changed, ticket)
  // A picture is still being uploaded into a text.
  const isWaiting = Object.values(draft.changed).some(value => typeof value === 'string' && isUploading(value))
  const isInvalid =
    titleRule(draft.draft.Title) !== true ||
    ticket.Fields.some(({ Key, Renderer }) => {
      const value = draft.changed[`data.${Key}`]
      return value !== undefined && problemOfValue(Renderer, value) !== undefined
    })
  const refusals: Partial<Record<DraftField, string>> = {}
  for (const { path, message } of problem?.fields ?? []) refusals[path as DraftField] = message

  const submit = () => {
    if (changes === 0 || save.isPending || blocked || isWaiting) return
    if (missing) return notify.error(`Needs the permission ${permissionName(missing)}`)
    if (draft.clashes.length > 0 || isInvalid) {
      const first = card.current?.querySelector<HTMLElement>('[data-clash], [aria-invalid=true]')
      first?.focus()
      first?.scrollIntoView({ block: 'center' })
      return
    }
    const texts = ticket.Fields.flatMap(({ Key, Renderer, Value }) => {
      const after = draft.changed[`data.${Key}`]
      return Renderer === 'TEXTMULTILINE' && after !== undefined ? [{ before: Value, after }] : []
    })
    void checked(texts, send)
  }
  const send = () => {
    // The second press of a double click comes before SAVE is drawn as disabled.
    if (isSending.current) return
    isSending.current = true
    const sent = draft.changed
    const request = saveRequest(idTicket, sent, ticket.Version)
    setProblem(undefined)
    save.mutate(request, {
      onSettled: () => {
        isSending.current = false
      },
      onSuccess: answer => {
        const states = queries.getQueryData(callQuery(getTicketStateList, { idProject }).queryKey) ?? ticket.OutputStates
        const labels = queries.getQueryData(callQuery(getLabelList, { idProject }).queryKey)
        draft.saved(sent)
        queries.setQueryData(callQuery(getTicketData, { idTicket }).queryKey, now => now && withSaved(now, request, answer, states, labels))
        notify.success(messages.ticketSaved(pcode, idTicket))
      },
      onError: refusal => {
        if (refusal instanceof SessionTimedOut) return
        notify.error(messages.ticketSaveFailed(pcode, idTicket))
        // The bar above already says so.
        if (refusal.code !== 'network') setProblem(refusal)
        // Shows the stored values beside those that were refused, or what was deleted: the ticket, or something that the save names.
        if (refusal.status === 409 || refusal.status === 404) void queries.invalidateQueries()
      },
    })
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
              </div>
              {isPast && <TicketSummary ticket={ticket} />}
            </div>
            {blocked && (
              <Alert
                severity="info"
                className={styles.alert}
                action={
                  !isGone &&
                  ticket.Trashed === 1 &&
                  ticket.Permissions.includes(permission.deleteTickets) && (
                    <div className={styles.trashed}>
                      <TrashedTicketActions idTicket={idTicket} code={code} onPurged={() => void navigate(`/view-project/${idProject}`)} />
                    </div>
                  )
                }
              >
                {blocked}.
              </Alert>
            )}
            {problem && (
              <Alert
                severity="error"
                className={styles.alert}
                action={
                  <IconButton aria-label="Close" onClick={() => setProblem(undefined)}>
                    <CloseIcon />
                  </IconButton>
                }
              >
                {problem.code === 'blocked' ? <BlockedRefusal problem={problem} /> : isAboutPart(problem) ? partGone : problem.message}
                {problem.code === 'conflict' && draft.clashes.length > 0 && '. Choose below which value to keep, then save again.'}
              </Alert>
            )}
            <GoneNote ticket={ticket} draft={draft} />
            {draft.keptAt !== undefined && <KeptNote at={draft.keptAt} onDiscard={draft.reset} />}
            <div ref={card}>
              <TicketCard ticket={ticket} draft={draft} blocked={blocked} refusals={refusals} />
            </div>
            <Suspense fallback={<Skeleton height={52} className={styles.links} />}>
              <LinksCard ticket={ticket} blocked={blocked} />
              <MoreAboutTicket ticket={ticket} blocked={blocked} />
            </Suspense>
          </>
        }
        right={<CommentsCard ticket={ticket} blocked={blocked} onDirtyChange={setCommenting} />}
      />
    </PageContent>
  )
}
