import { useQuery } from '@tanstack/react-query'
import { deleteSearches, getSearchList, restoreSearches } from '@tessera/contract/projects/saved-searches'
import { useState } from 'react'
import { ConfirmDialog } from '../../../components/confirm-dialog/confirm-dialog.tsx'
import { PlainDialog } from '../../../components/dialog/plain-dialog.tsx'
import { EmptyState } from '../../../components/empty-state/empty-state.tsx'
import { LoadProblem } from '../../../components/empty-state/load-problem.tsx'
import { SearchIcon } from '../../../components/icons/icons.tsx'
import { SavedRow } from '../../../components/saved-row/saved-row.tsx'
import { notify } from '../../../components/toaster/toaster.tsx'
import { undo } from '../../../components/toaster/undo.ts'
import { callQuery } from '../../../lib/calls/api.ts'
import { useCallMutation } from '../../../lib/calls/mutations/use-call-mutation.ts'
import { useSession } from '../../../lib/session/session.tsx'
import { SaveSearchDialog } from './save-search-dialog.tsx'
import type { SavedSearch } from './saved-search.ts'
import styles from './saved-searches.module.css'

function remarkOn({ Scope, Mine }: SavedSearch) {
  if (Scope === 'private') return 'only me'
  return Mine ? 'shared by me' : 'shared'
}

/** The saved searches: to change and to delete them. */
export function SearchesDialog({ onClose }: { onClose: () => void }) {
  const list = useQuery(callQuery(getSearchList, {}))
  const { data } = list
  const remove = useCallMutation(deleteSearches)
  const restore = useCallMutation(restoreSearches)
  const { isAdmin } = useSession()
  const [edited, edit] = useState<SavedSearch>()
  const [doomed, ask] = useState<SavedSearch>()
  const deleteIt = ({ idSearch, Name }: SavedSearch) =>
    remove.mutate(
      { ids: [idSearch] },
      {
        onSuccess: () => {
          const back = () => restore.mutateAsync({ ids: [idSearch] }).then(() => 'The search is back')
          notify.success(`The search ${Name} was deleted`, undo(back))
        },
        onError: problem => notify.failure(problem),
        onSettled: () => ask(undefined),
      },
    )
  return (
    <>
      <PlainDialog title="Saved searches" onClose={onClose}>
        <LoadProblem of={[list]} />
        {data?.length === 0 && (
          <EmptyState dense icon={<SearchIcon />} title="There are no saved searches yet">
            Search for something, then choose SAVE SEARCH.
          </EmptyState>
        )}
        {data && data.length > 0 && (
          <ul aria-label="Saved searches">
            {data.map(search => (
              <li key={search.idSearch} className={styles.search}>
                <SavedRow
                  name={search.Name}
                  remark={
                    <>
                      {remarkOn(search)} · <code>{search.Query}</code>
                    </>
                  }
                  disabled={search.Mine === 0 && !isAdmin}
                  onEdit={() => edit(search)}
                  onDelete={() => ask(search)}
                />
              </li>
            ))}
          </ul>
        )}
      </PlainDialog>
      {edited && <SaveSearchDialog saved={edited} onClose={() => edit(undefined)} />}
      <ConfirmDialog
        open={doomed !== undefined}
        title={`Delete the search ${doomed?.Name}?`}
        confirmLabel="DELETE"
        busy={remove.isPending}
        onClose={() => ask(undefined)}
        onConfirm={() => doomed && deleteIt(doomed)}
      >
        {doomed?.Scope === 'organization'
          ? 'Everybody in the organization loses it. The tickets stay as they are.'
          : 'The tickets stay as they are.'}
      </ConfirmDialog>
    </>
  )
}
