import { Suspense } from 'react'
import { Button } from '../../../../components/button/button.tsx'
import { EmptyState } from '../../../../components/empty-state/empty-state.tsx'
import { SearchIcon } from '../../../../components/icons/icons.tsx'
import { lazy } from '../../../../components/lazy/lazy.tsx'
import { plainView, type TicketView } from '../view/ticket-view.ts'
import type { ChangeView } from '../view/use-ticket-view.ts'

const UnknownNames = lazy(async () => (await import('./unknown-names.tsx')).UnknownNames)

interface NoMatchProps {
  idProject: number
  view: TicketView
  onChange: ChangeView
}

/** Instead of the rows or the board, when the filters match no ticket of the project. */
export function NoMatch({ idProject, view, onChange }: NoMatchProps) {
  const clear = () =>
    onChange(({ layout, group, lanes, sort, columns, open }) => ({ ...plainView, layout, group, lanes, sort, columns, open }))
  return (
    <EmptyState icon={<SearchIcon />} title="No ticket matches" action={<Button onClick={clear}>CLEAR FILTERS</Button>}>
      Nothing here matches all of the filters above.
      {view.query !== '' && (
        <Suspense>
          <UnknownNames idProject={idProject} query={view.query} />
        </Suspense>
      )}
    </EmptyState>
  )
}
