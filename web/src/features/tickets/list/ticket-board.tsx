import { Suspense, useRef, useState } from 'react'
import { lazy } from '../../../components/lazy/lazy.tsx'
import type { CallError } from '../../../lib/calls/api.ts'
import { useMediaQuery } from '../../../lib/display/use-media-query.ts'
import { LazySelectionBar } from '../selection/lazy-selection-bar.tsx'
import { useSelection } from '../selection/selection.ts'
import { ListTools } from './list-tools.tsx'
import { NoMatch } from './no-match/no-match.tsx'
import type { TicketListProps } from './ticket-list-props.ts'
import { isFiltered, type TicketView, viewRequest } from './view/ticket-view.ts'
import type { ChangeView } from './view/use-ticket-view.ts'

const Board = lazy(async () => (await import('../board/board.tsx')).Board)
const Calendar = lazy(async () => (await import('../calendar/calendar.tsx')).Calendar)
const Timeline = lazy(async () => (await import('../timeline/timeline.tsx')).Timeline)

interface TicketBoardProps extends TicketListProps {
  view: TicketView
  onChange: ChangeView
}

/** The list's view as a board, a calendar or a timeline, with the same line above it and the filters below that on demand. */
export function TicketBoard({ idProject, label, heading, actions, empty, view, onChange }: TicketBoardProps) {
  const [isFiltering, setFiltering] = useState(false)
  const [error, setError] = useState<CallError | null>(null)
  const search = useRef<HTMLInputElement>(null)
  const isPhone = useMediaQuery('(width < 37.5rem)')
  const { isOn } = useSelection(idProject)
  const { Sort: _, Columns: __, ...matching } = viewRequest(view)
  const shown = { idProject, view, onChange, label, onError: setError }
  return (
    <section aria-label={label}>
      <ListTools
        idProject={idProject}
        view={view}
        onChange={onChange}
        search={search}
        added={[]}
        isPhone={isPhone}
        isBoard
        hasBoard
        heading={heading}
        actions={actions}
        isFiltering={isFiltering}
        onFilter={setFiltering}
        error={error}
      />
      <Suspense>
        {view.layout === 'board' && (
          <Board {...shown} empty={isFiltered(view) ? <NoMatch idProject={idProject} view={view} onChange={onChange} /> : empty} />
        )}
        {view.layout === 'calendar' && <Calendar {...shown} />}
        {view.layout === 'timeline' && <Timeline {...shown} />}
      </Suspense>
      {isOn && <LazySelectionBar idProject={idProject} matching={matching} />}
    </section>
  )
}
