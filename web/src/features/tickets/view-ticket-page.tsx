import { useQuery, useQueryClient } from '@tanstack/react-query'
import { messages } from '@tessera/contract/messages'
import { permission } from '@tessera/contract/permissions'
import { getTicketStateList } from '@tessera/contract/project-config'
import { getProjectData } from '@tessera/contract/projects'
import { getTicketData, setTicketData, setTicketNotification } from '@tessera/contract/tickets'
import { Suspense, useEffect, useRef, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { Alert } from '../../components/alert/alert.tsx'
import { Button } from '../../components/button/button.tsx'
import { Card } from '../../components/card/card.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { IconButton } from '../../components/icon-button/icon-button.tsx'
import { BellIcon, BellOffIcon, CloseIcon, ListIcon } from '../../components/icons.tsx'
import { lazy } from '../../components/lazy.tsx'
import { LeaveGuard } from '../../components/leave-guard.tsx'
import { PermissionGate } from '../../components/permission-gate.tsx'
import { Skeleton } from '../../components/skeleton/skeleton.tsx'
import { Tabs } from '../../components/tabs/tabs.tsx'
import { notify } from '../../components/toaster.tsx'
import { Tooltip } from '../../components/tooltip.tsx'
import { Unseen } from '../../components/unseen.tsx'
import { type CallError, callQuery, SessionTimedOut, useCallMutation } from '../../lib/api.ts'
import { activateProject } from '../../lib/session.tsx'
import { useSearch } from '../../lib/use-search.ts'
import { useShortcuts } from '../../lib/use-shortcuts.ts'
import { PageContent } from '../session/page-content.tsx'
import { CommentsCard } from './comments-card.tsx'
import { problemOfValue } from './field-value.ts'
import { TicketCard } from './ticket-card.tsx'
import { TicketHeading } from './ticket-heading.tsx'
import { TicketList } from './ticket-list.tsx'
import { TicketMenu } from './ticket-menu.tsx'
import { TrashedTicketActions } from './trashed-ticket-actions.tsx'
import { type DraftField, saveRequest, type Ticket, useTicketDraft, withSaved } from './use-ticket-draft.ts'
import styles from './view-ticket-page.module.css'

const NewTicketDialog = lazy(async () => ({ default: (await import('./new-ticket-dialog.tsx')).NewTicketDialog }))
const TicketHistoryList = lazy(async () => ({ default: (await import('./ticket-history-list.tsx')).TicketHistoryList }))

export { takeTicket } from './first-data.ts'

export function ViewTicketPage() {
  const idTicket = Number(useParams().id)
  return Number.isSafeInteger(idTicket) && idTicket > 0 ? <LoadedTicket key={idTicket} idTicket={idTicket} /> : <NoTicket />
}

function NoTicket() {
  return (
    <PageContent>
      <ErrorState title="There is no such ticket" message="It does not exist, or you may not see it." />
    </PageContent>
  )
}

function LoadedTicket({ idTicket }: { idTicket: number }) {
  const ticket = useQuery(callQuery(getTicketData, { idTicket }))
  const idProject = ticket.data?.idProject
  // The title bar is about the project that is on the page.
  useEffect(() => {
    if (idProject !== undefined) activateProject(idProject)
  }, [idProject])
  if (ticket.data) return <TicketDetail ticket={ticket.data} />
  if (ticket.error?.status === 404) return <NoTicket />
  return (
    <PageContent>
      {ticket.error ? (
        <ErrorState message={ticket.error.message} onRetry={() => void ticket.refetch()} />
      ) : (
        <Columns
          left={
            <div role="status" aria-label="Loading the ticket" className={styles.loading}>
              <Skeleton width="50%" height={32} />
              <Skeleton height={360} />
            </div>
          }
          right={<Skeleton height={220} />}
        />
      )}
    </PageContent>
  )
}

function Columns({ left, right }: { left: React.ReactNode; right: React.ReactNode }) {
  return (
    <div className={styles.columns}>
      <div>{left}</div>
      <div>{right}</div>
    </div>
  )
}

function TicketDetail({ ticket }: { ticket: Ticket }) {
  const { idTicket, idProject, pcode } = ticket
  const code = `${pcode}-${idTicket}`
  const queries = useQueryClient()
  const navigate = useNavigate()
  const draft = useTicketDraft(ticket)
  const save = useCallMutation(setTicketData)
  const isArchived = useQuery({ ...callQuery(getProjectData, { idProject }), staleTime: 60_000 }).data?.Archived === 1
  const [problem, setProblem] = useState<CallError>()
  const [isCommenting, setCommenting] = useState(false)
  const card = useRef<HTMLDivElement>(null)

  const blocked = ticket.Trashed
    ? 'This ticket is in the trash and takes no changes'
    : isArchived
      ? 'This project is archived and takes no changes'
      : undefined
  const changes = Object.keys(draft.changed).length
  const isInvalid =
    draft.draft.Title.trim() === '' ||
    ticket.Fields.some(({ Key, Renderer }) => {
      const value = draft.changed[`data.${Key}`]
      return value !== undefined && problemOfValue(Renderer, value) !== undefined
    })
  const refusals: Partial<Record<DraftField, string>> = {}
  for (const { path, message } of problem?.fields ?? []) refusals[path as DraftField] = message

  const submit = () => {
    if (changes === 0 || save.isPending || blocked) return
    if (draft.clashes.length > 0 || isInvalid) {
      const first = card.current?.querySelector<HTMLElement>('[data-clash], [aria-invalid=true]')
      first?.focus()
      first?.scrollIntoView({ block: 'center' })
      return
    }
    const sent = draft.changed
    const request = saveRequest(idTicket, sent, ticket.Version)
    setProblem(undefined)
    save.mutate(request, {
      onSuccess: answer => {
        const states = queries.getQueryData(callQuery(getTicketStateList, { idProject }).queryKey) ?? ticket.OutputStates
        draft.saved(sent)
        queries.setQueryData(callQuery(getTicketData, { idTicket }).queryKey, now => now && withSaved(now, request, answer, states))
        notify.success(messages.ticketSaved(pcode, idTicket))
      },
      onError: refusal => {
        if (refusal instanceof SessionTimedOut) return
        notify.error(messages.ticketSaveFailed(pcode, idTicket))
        setProblem(refusal)
        // The values that stand now show beside the ones that did not go in.
        if (refusal.status === 409) void queries.invalidateQueries()
      },
    })
  }
  useShortcuts(blocked ? [] : [{ keys: 's', label: 'Save the ticket', run: submit }])

  return (
    <PageContent>
      <LeaveGuard isDirty={changes > 0 || isCommenting} />
      <Columns
        left={
          <>
            <div className={styles.head} data-dirty={changes > 0 || undefined}>
              <TicketHeading
                code={code}
                title={draft.draft.Title}
                readOnly={blocked !== undefined || !ticket.Permissions.includes(permission.editTickets)}
                onChange={title => draft.set('Title', title)}
              />
              <div data-bottom-bar={changes > 0 || undefined} className={styles.actions}>
                <NotificationToggle ticket={ticket} />
                <Button
                  variant="contained"
                  disabled={changes === 0 || save.isPending || blocked !== undefined}
                  aria-busy={save.isPending}
                  onClick={submit}
                >
                  {save.isPending ? (
                    'SAVING...'
                  ) : (
                    <>
                      SAVE
                      {changes > 0 && <span className={styles.changes}>{changes === 1 ? '1 change' : `${changes} changes`}</span>}
                    </>
                  )}
                </Button>
                <TicketMenu ticket={ticket} blocked={blocked} onLeave={draft.reset} />
              </div>
            </div>
            {blocked && (
              <Alert
                severity="info"
                className={styles.alert}
                action={
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
                {problem.message}
                {problem.code === 'conflict' && draft.clashes.length > 0 && '. Choose below what is to stand, then save again.'}
              </Alert>
            )}
            <div ref={card}>
              <TicketCard ticket={ticket} draft={draft} blocked={blocked} refusals={refusals} />
            </div>
            <Below ticket={ticket} blocked={blocked} />
          </>
        }
        right={<CommentsCard ticket={ticket} blocked={blocked} onDirtyChange={setCommenting} />}
      />
    </PageContent>
  )
}

/** The bell: whether the person gets mail about this ticket. */
function NotificationToggle({ ticket }: { ticket: Ticket }) {
  const { idTicket, NotificationSubscription } = ticket
  const toggle = useCallMutation(setTicketNotification)
  const isOn = (toggle.isPending ? toggle.variables.Notify : NotificationSubscription) === 1
  const label = isOn ? messages.notificationsEnabled : messages.notificationsDisabled
  return (
    <Tooltip title={label}>
      <IconButton
        aria-label={label}
        aria-pressed={isOn}
        onClick={() => {
          if (toggle.isPending) return
          toggle.mutate(
            { idTicket, Notify: isOn ? 0 : 1 },
            {
              onError: problem => notify.failure(problem, messages.notificationFailed),
            },
          )
        }}
      >
        {isOn ? <BellIcon /> : <BellOffIcon />}
      </IconButton>
    </Tooltip>
  )
}

/** The children of the ticket, and what happened to it. */
function Below({ ticket, blocked }: { ticket: Ticket; blocked: string | undefined }) {
  const { idTicket, idProject, pcode } = ticket
  const [search, setSearch] = useSearch()
  const [isAdding, add] = useState(false)
  const tab = search.get('tab') === 'history' ? 'history' : 'children'
  const choose = (next: 'history' | 'children') =>
    setSearch(now => {
      const changed = new URLSearchParams(now)
      if (next === 'history') changed.set('tab', next)
      else changed.delete('tab')
      return changed
    })
  const addButton = (
    <PermissionGate idProject={idProject} needs={permission.createTickets} held={ticket.Permissions} reason={blocked}>
      {refused => (
        <Button disabled={refused} onClick={() => add(true)}>
          ADD TICKET
        </Button>
      )}
    </PermissionGate>
  )
  return (
    <div className={styles.below}>
      <Tabs
        label="More about the ticket"
        value={tab}
        tabs={[
          { value: 'children', label: 'Child Tickets', id: 'tab-children', controls: tab === 'children' ? 'panel-children' : undefined },
          { value: 'history', label: 'History', id: 'tab-history', controls: tab === 'history' ? 'panel-history' : undefined },
        ]}
        onChange={choose}
        className={styles.tabs}
      />
      <div role="tabpanel" id={`panel-${tab}`} aria-labelledby={`tab-${tab}`} className={tab === 'children' ? styles.children : undefined}>
        {tab === 'children' ? (
          <TicketList
            idProject={idProject}
            idParent={idTicket}
            label="Child Tickets"
            heading={<Unseen>Child Tickets</Unseen>}
            actions={addButton}
            empty={
              <EmptyState dense icon={<ListIcon />} title="There are no tickets yet">
                {!blocked && (
                  <>
                    Split this ticket into smaller ones: add the first child ticket of{' '}
                    <span className={styles.code}>
                      {pcode}-{idTicket}.
                    </span>
                  </>
                )}
              </EmptyState>
            }
          />
        ) : (
          <Card>
            <Suspense fallback={<Skeleton height={80} className={styles.history} />}>
              <TicketHistoryList ticket={ticket} blocked={blocked} />
            </Suspense>
          </Card>
        )}
      </div>
      <Suspense>{isAdding && <NewTicketDialog open idProject={idProject} idParent={idTicket} onClose={() => add(false)} />}</Suspense>
    </div>
  )
}
