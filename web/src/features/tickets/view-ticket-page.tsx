import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Card from '@mui/material/Card'
import IconButton from '@mui/material/IconButton'
import Skeleton from '@mui/material/Skeleton'
import Tab from '@mui/material/Tab'
import Tabs from '@mui/material/Tabs'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { messages } from '@tessera/contract/messages'
import { permission } from '@tessera/contract/permissions'
import { getTicketStateList } from '@tessera/contract/project-config'
import { getProjectData } from '@tessera/contract/projects'
import { getTicketData, setTicketData, setTicketNotification } from '@tessera/contract/tickets'
import { Suspense, useDeferredValue, useEffect, useRef, useState } from 'react'
import { useNavigate, useNavigationType, useParams } from 'react-router'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { BellIcon, BellOffIcon, ListIcon } from '../../components/icons.tsx'
import { lazy } from '../../components/lazy.tsx'
import { LeaveGuard } from '../../components/leave-guard.tsx'
import { PermissionGate } from '../../components/permission-gate.tsx'
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
            <Box aria-busy aria-label="Loading the ticket">
              <Skeleton width="50%" height={32} sx={{ mb: 1.75 }} />
              <Skeleton variant="rounded" height={360} />
            </Box>
          }
          right={<Skeleton variant="rounded" height={220} />}
        />
      )}
    </PageContent>
  )
}

function Columns({ left, right }: { left: React.ReactNode; right: React.ReactNode }) {
  return (
    <Box
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) 350px' },
        gap: 2.5,
        alignItems: 'start',
      }}
    >
      <Box sx={{ minWidth: 0 }}>{left}</Box>
      <Box sx={{ minWidth: 0 }}>{right}</Box>
    </Box>
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
  // Heading and facts stand there first, then what they are edited in, then the rest. A page that is gone back to has its height at once, to be scrolled to where it was.
  const isGoneBackTo = useNavigationType() === 'POP'
  const isEditable = useDeferredValue(true, isGoneBackTo)
  const isWhole = useDeferredValue(isEditable, isGoneBackTo)

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
            <Box
              sx={{
                display: 'flex',
                flexWrap: { xs: 'wrap', sm: 'nowrap' },
                alignItems: 'center',
                gap: 1.25,
                mb: 1.25,
                py: 0.5,
                // In sight while something is unsaved; a phone has room for it at the bottom only.
                ...(changes > 0 && { position: { sm: 'sticky' }, top: 52, zIndex: 3, bgcolor: 'background.default' }),
              }}
            >
              <TicketHeading
                code={code}
                title={draft.draft.Title}
                readOnly={blocked !== undefined || !ticket.Permissions.includes(permission.editTickets)}
                onChange={title => draft.set('Title', title)}
              />
              <Box
                data-bottom-bar={changes > 0 || undefined}
                sx={{
                  display: 'flex',
                  alignItems: 'center',
                  gap: 1.25,
                  ...(changes > 0 && {
                    position: { xs: 'fixed', sm: 'static' },
                    inset: 'auto 0 0 0',
                    zIndex: 'appBar',
                    justifyContent: 'flex-end',
                    p: { xs: 1, sm: 0 },
                    bgcolor: { xs: 'background.paper', sm: 'transparent' },
                    borderTop: { xs: '1px solid var(--mui-palette-divider)', sm: 0 },
                  }),
                }}
              >
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
                      {changes > 0 && (
                        <Box component="span" sx={{ textTransform: 'none', fontWeight: 500, letterSpacing: 0, opacity: 0.85 }}>
                          {changes === 1 ? '1 change' : `${changes} changes`}
                        </Box>
                      )}
                    </>
                  )}
                </Button>
                <TicketMenu ticket={ticket} blocked={blocked} onLeave={draft.reset} />
              </Box>
            </Box>
            {blocked && (
              <Alert
                severity="info"
                sx={{ mb: 1.75, alignItems: 'center' }}
                action={
                  ticket.Trashed === 1 &&
                  ticket.Permissions.includes(permission.deleteTickets) && (
                    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
                      <TrashedTicketActions idTicket={idTicket} code={code} onPurged={() => void navigate(`/view-project/${idProject}`)} />
                    </Box>
                  )
                }
              >
                {blocked}.
              </Alert>
            )}
            {problem && (
              <Alert severity="error" sx={{ mb: 1.75 }} onClose={() => setProblem(undefined)}>
                {problem.message}
                {problem.code === 'conflict' && draft.clashes.length > 0 && '. Choose below what is to stand, then save again.'}
              </Alert>
            )}
            <Box ref={card}>
              <TicketCard ticket={ticket} draft={draft} blocked={blocked} refusals={refusals} hasFields={isEditable} />
            </Box>
            {isWhole && <Below ticket={ticket} blocked={blocked} />}
          </>
        }
        right={isWhole && <CommentsCard ticket={ticket} blocked={blocked} onDirtyChange={setCommenting} />}
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
    <Box sx={{ mt: 2 }}>
      <Tabs
        value={tab}
        onChange={(_event, next) => choose(next)}
        aria-label="More about the ticket"
        sx={{
          // The line of the list beside it begins at the same height.
          position: 'relative',
          zIndex: 1,
          width: 'fit-content',
          minHeight: 36,
          mb: 1,
          '& .MuiTab-root': { minHeight: 36, minWidth: 0, p: 0, mr: 2.5, fontSize: 16, letterSpacing: '-0.01em', textTransform: 'none' },
        }}
      >
        <Tab value="children" id="tab-children" aria-controls="panel-children" label="Child Tickets" />
        <Tab value="history" id="tab-history" aria-controls="panel-history" label="History" />
      </Tabs>
      <Box role="tabpanel" id={`panel-${tab}`} aria-labelledby={`tab-${tab}`} sx={tab === 'children' ? { mt: { sm: '-42px' } } : {}}>
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
                    <span style={{ whiteSpace: 'nowrap' }}>
                      {pcode}-{idTicket}.
                    </span>
                  </>
                )}
              </EmptyState>
            }
          />
        ) : (
          <Card>
            <Suspense fallback={<Skeleton height={120} sx={{ mx: 1.75 }} />}>
              <TicketHistoryList ticket={ticket} blocked={blocked} />
            </Suspense>
          </Card>
        )}
      </Box>
      <Suspense>{isAdding && <NewTicketDialog open idProject={idProject} idParent={idTicket} onClose={() => add(false)} />}</Suspense>
    </Box>
  )
}
