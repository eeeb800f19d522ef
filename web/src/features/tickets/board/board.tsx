import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { getProjectData } from '@tessera/contract/projects/projects'
import { projectArchived } from '@tessera/contract/refusals'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { lazy } from '../../../components/lazy/lazy.tsx'
import { notify } from '../../../components/toaster/toaster.tsx'
import { VisuallyHidden } from '../../../components/visually-hidden/visually-hidden.tsx'
import { type CallError, callQuery } from '../../../lib/calls/api.ts'
import { counted } from '../../../lib/display/format.ts'
import { useFontSize } from '../../../lib/display/larger-font.ts'
import { useSession } from '../../../lib/session/session.tsx'
import { isFiltered, type LanesBy, type TicketView } from '../list/view/ticket-view.ts'
import { UnreadTickets } from '../list/view/unread-tickets.tsx'
import { BoardView } from './board-view.tsx'
import { useMoves } from './carrying/use-moves.ts'
import { type Board as BoardData, boardQuery, type Column, loadMore } from './data/board-data.ts'
import { boardGroup, boardLanes, boardRequest } from './data/board-request.ts'
import { keepBoard, keptBoard } from './data/kept-board.ts'
import { useLiveTickets } from './data/use-live-tickets.ts'
import { BoardSkeleton } from './frame/board-skeleton.tsx'
import { BoardTools } from './frame/board-tools.tsx'

const RoleQuestion = lazy(async () => (await import('./carrying/role-question.tsx')).RoleQuestion)

interface BoardProps {
  idProject: number
  view: TicketView
  onChange: (change: { group: string } | { lanes: LanesBy }) => void
  label: string
  /** Called with the error when the board could not be read, and with null when it could. */
  onError: (error: CallError | null) => void
  /** Shown when there are no tickets at all. */
  empty: ReactNode
}

/** The tickets of a project in columns, to be carried from one to another. */
export function Board({ idProject, view, onChange, label, onError, empty }: BoardProps) {
  const { idUser } = useSession()
  const font = useFontSize()
  const group = boardGroup(view)
  const [kept, setKept] = useState(() => ({ group, ...keptBoard(idProject, group, idUser) }))
  const keep = (change: Partial<typeof kept>) => {
    const next = { ...kept, ...change }
    setKept(next)
    keepBoard(idUser, idProject, group, next)
  }
  if (kept.group !== group) setKept({ group, ...keptBoard(idProject, group, idUser) })
  const input = boardRequest(idProject, view, idUser)
  const queries = useQueryClient()
  const query = useQuery({ ...boardQuery(input), placeholderData: keepPreviousData })
  const project = useQuery(callQuery(getProjectData, { idProject }))
  const moves = useMoves(input)
  useLiveTickets(idProject, input)
  useEffect(() => onError(query.error), [onError, query.error])

  const board = useMemo(() => query.data && named(moves.shownOf(query.data), group), [query.data, moves.pending, group])
  const total = board?.columns.reduce((sum, { Total }) => sum + Total, 0)
  // A ticket of two people is in two columns.
  const isRepeated = group === 'Assignee'
  const noun = isRepeated ? 'card' : 'ticket'
  const more = (columns: readonly Column[]) => {
    if (query.isPlaceholderData) return
    for (const column of columns) {
      loadMore(queries, input, column).catch((problem: Error) => notify.failure(problem, `More of ${column.Label} could not be loaded`))
    }
  }
  return (
    <>
      <BoardTools
        idProject={idProject}
        group={group}
        onGroup={next => onChange({ group: next })}
        lanes={boardLanes(idProject, view, idUser)}
        onLanes={lanes => {
          keep({ lanesBy: lanes })
          onChange({ lanes })
        }}
        matching={isFiltered(view) && !isRepeated ? total : undefined}
      />
      {query.isError && !board && <UnreadTickets problem={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <BoardSkeleton />}
      {board &&
        (total === 0 ? (
          empty
        ) : (
          <BoardView
            key={font}
            idProject={idProject}
            label={label}
            group={group}
            board={board}
            isStale={query.isPlaceholderData}
            moves={moves}
            refused={project.data?.Archived === 1 ? projectArchived : undefined}
            collapsed={kept}
            onCollapse={keep}
            onMore={more}
          />
        ))}
      <VisuallyHidden role="status">
        {query.isPending && 'Loading the board'}
        {total !== undefined && `${counted(total, noun)} on the board`}
      </VisuallyHidden>
      {moves.question && <RoleQuestion idProject={idProject} question={moves.question} onClose={() => moves.question?.answer(undefined)} />}
    </>
  )
}

/** Tickets without a value have a column as well. */
function named({ columns, lanes }: BoardData, group: string): BoardData {
  const none = group === 'Assignee' ? 'Nobody' : 'None'
  return { lanes, columns: columns.map(column => (column.key === '' ? { ...column, Label: none } : column)) }
}
