import { Button } from '../../../components/button/button.tsx'
import { EmptyState } from '../../../components/empty-state/empty-state.tsx'
import { SearchIcon } from '../../../components/icons/icons.tsx'
import { Link } from '../../../components/link/link.tsx'
import { plainView, type TicketView } from './view/ticket-view.ts'
import type { ChangeView } from './view/use-ticket-view.ts'

interface NoMatchProps {
  idProject: number
  view: TicketView
  onChange: ChangeView
}

/** Instead of the rows or the board, when the filters match no ticket of the project. */
export function NoMatch({ idProject, view, onChange }: NoMatchProps) {
  const clear = () =>
    onChange(({ layout, group, lanes, sort, columns, open }) => ({ ...plainView, layout, group, lanes, sort, columns, open }))
  const search = `/search?${new URLSearchParams({ q: view.query, project: String(idProject) })}`
  return (
    <EmptyState icon={<SearchIcon />} title="No ticket matches" action={<Button onClick={clear}>CLEAR FILTERS</Button>}>
      {/(^|[\s(-])is:\S*trashed/i.test(view.query) ? (
        <>
          Lists and boards leave out what is in the trash.{' '}
          <Link underlined to={search}>
            Search for it instead
          </Link>
        </>
      ) : (
        'There are tickets here, but none that fits all of the filters above.'
      )}
    </EmptyState>
  )
}
