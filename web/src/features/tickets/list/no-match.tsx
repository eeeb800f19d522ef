import { Button } from '../../../components/button/button.tsx'
import { EmptyState } from '../../../components/empty-state/empty-state.tsx'
import { SearchIcon } from '../../../components/icons/icons.tsx'
import { plainView } from './view/ticket-view.ts'
import type { ChangeView } from './view/use-ticket-view.ts'

/** Instead of the rows or the board, when the filters match no ticket of the project. */
export function NoMatch({ onChange }: { onChange: ChangeView }) {
  const clear = () =>
    onChange(({ layout, group, lanes, sort, columns, open }) => ({ ...plainView, layout, group, lanes, sort, columns, open }))
  return (
    <EmptyState icon={<SearchIcon />} title="No ticket matches" action={<Button onClick={clear}>CLEAR FILTERS</Button>}>
      Nothing here matches all of the filters above.
    </EmptyState>
  )
}
