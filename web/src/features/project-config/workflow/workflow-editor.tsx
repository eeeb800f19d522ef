import type { Response } from '@tessera/contract/call'
import { messages } from '@tessera/contract/messages'
import { type getStateTransitions, type getTicketStateList, setStateTransitions } from '@tessera/contract/projects/project-config'
import { Suspense, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { Alert } from '../../../components/alert/alert.tsx'
import { Button } from '../../../components/button/button.tsx'
import { DialogActions, DialogContent } from '../../../components/dialog/dialog.tsx'
import { lazy } from '../../../components/lazy/lazy.tsx'
import { Skeleton } from '../../../components/skeleton/skeleton.tsx'
import { Tabs } from '../../../components/tabs/tabs.tsx'
import { notify } from '../../../components/toaster/toaster.tsx'
import { SessionTimedOut } from '../../../lib/calls/api.ts'
import { useCallMutation } from '../../../lib/calls/mutations/use-call-mutation.ts'
import { counted } from '../../../lib/display/format.ts'
import { useMediaQuery } from '../../../lib/display/use-media-query.ts'
import { listOf } from '../../../lib/display/word-list.ts'
import { BlockersHold } from './blockers-hold.tsx'
import { isSameWorkflow, type Move, movesBetween, withMove, workflowFlaws } from './workflow.ts'
import styles from './workflow-editor.module.css'
import { WorkflowTable } from './workflow-table.tsx'

const WorkflowDiagram = lazy(async () => (await import('./diagram/workflow-diagram.tsx')).WorkflowDiagram)

interface WorkflowEditorProps {
  idProject: number
  states: Response<typeof getTicketStateList>
  /** Where tickets start: the initial states of the templates. */
  entries: number[]
  stored: Response<typeof getStateTransitions>
  /** Why it is read-only for the person. */
  refusal: string | undefined
  onDirty: (isDirty: boolean) => void
  onCancel: () => void
  onSaved: () => void
  onReload: () => Promise<unknown>
}

const views = [
  { value: 'diagram', label: 'DIAGRAM' },
  { value: 'table', label: 'TABLE' },
] as const

/** The workflow as a whole, in two views of the same moves. */
export function WorkflowEditor(props: WorkflowEditorProps) {
  const { idProject, states, entries, stored, refusal, onDirty, onCancel, onSaved, onReload } = props
  const readOnly = refusal !== undefined
  const isNarrow = useMediaQuery('(width < 60rem)')
  const [view, setView] = useState<'diagram' | 'table'>(isNarrow ? 'table' : 'diagram')
  /** The stored workflow that the changes are based on. */
  const [base, setBase] = useState(stored)
  const [drawn, setMoves] = useState<Move[]>(stored.Transitions)
  // A state that somebody deletes meanwhile takes its moves along.
  const moves = movesBetween(states, drawn)
  const save = useCallMutation(setStateTransitions)
  const isDirty = !isSameWorkflow(moves, movesBetween(states, base.Transitions))
  // After a save it is the older one until it is read again.
  if (stored !== base && stored.Version >= base.Version && (!isDirty || stored.Version === base.Version)) {
    setBase(stored)
    if (!isDirty) setMoves(stored.Transitions)
  }
  const isConflict = isDirty && stored.Version > base.Version
  const { unreachable, deadEnds } = workflowFlaws(states, moves, entries)
  const tell = useEffectEvent(onDirty)
  useEffect(() => tell(isDirty), [isDirty])

  const latest = useRef(moves)
  useLayoutEffect(() => {
    latest.current = moves
  })

  const set = (from: number, to: number, on: boolean) => {
    if (!readOnly) setMoves(now => withMove(now, from, to, on))
  }
  const submit = () =>
    save.mutate(
      { idProject, Transitions: moves, Version: base.Version },
      {
        onSuccess: ({ Version }) => {
          notify.clear(messages.saveFailed)
          notify.success(
            moves.length === 0 ? 'Every move between states is allowed now' : `Workflow saved: ${counted(moves.length, 'move')}`,
          )
          if (isSameWorkflow(latest.current, moves)) onSaved()
          else setBase({ Transitions: moves, Version })
        },
        onError: problem => {
          if (problem instanceof SessionTimedOut) return
          if (problem.status === 409) void onReload()
          else notify.error(messages.saveFailed)
        },
      },
    )
  const flaws = [
    unreachable.length > 0 && `${listOf(unreachable.map(({ Description }) => Description))} cannot be reached`,
    deadEnds.length > 0 && `${listOf(deadEnds.map(({ Description }) => Description))} cannot be left`,
  ].filter(Boolean)
  return (
    <>
      <DialogContent className={styles.content}>
        <Tabs label="View of the workflow" value={view} tabs={views} onChange={setView} className={styles.tabs} />
        {isConflict && (
          <Alert
            severity="warning"
            action={
              <div className={styles.choices}>
                <Button
                  onClick={() => {
                    setBase(stored)
                    setMoves(stored.Transitions)
                  }}
                >
                  TAKE THEIRS
                </Button>
                <Button onClick={() => setBase(stored)}>KEEP MINE</Button>
              </div>
            }
          >
            Somebody else saved the workflow meanwhile: {counted(stored.Transitions.length, 'move')}. Nothing of yours is saved yet.
          </Alert>
        )}
        {save.error && save.error.status !== 409 && (
          <Alert severity="error">
            {save.error.status === 404
              ? 'A state was deleted meanwhile, and its moves with it, or you no longer have access. Check the other moves, then save again.'
              : save.error.message}
          </Alert>
        )}
        {view === 'diagram' ? (
          <Suspense fallback={<Skeleton className={styles.loading} />}>
            <WorkflowDiagram
              idProject={idProject}
              states={states}
              entries={entries}
              moves={moves}
              unreachable={unreachable.map(({ id }) => id)}
              deadEnds={deadEnds.map(({ id }) => id)}
              readOnly={readOnly}
              onMove={set}
            />
          </Suspense>
        ) : (
          <WorkflowTable states={states} moves={moves} readOnly={readOnly} onMove={set} />
        )}
        {moves.length === 0 ? (
          <Alert severity="info">
            No moves are set: every state can change to every other.{' '}
            {!readOnly && 'Once you add one, only the moves that you add are allowed.'}
          </Alert>
        ) : (
          flaws.length > 0 && <Alert severity="warning">{flaws.join('; ')}.</Alert>
        )}
        <BlockersHold idProject={idProject} />
      </DialogContent>
      <DialogActions>
        {readOnly && <p className={styles.readOnly}>{refusal}.</p>}
        <Button onClick={onCancel}>{readOnly ? 'CLOSE' : 'CANCEL'}</Button>
        {!readOnly && (
          <Button variant="contained" disabled={!isDirty || isConflict || save.isPending} aria-busy={save.isPending} onClick={submit}>
            SAVE
          </Button>
        )}
      </DialogActions>
    </>
  )
}
