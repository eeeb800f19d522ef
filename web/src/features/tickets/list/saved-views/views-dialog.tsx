import { useQuery } from '@tanstack/react-query'
import { permission } from '@tessera/contract/permissions'
import { deleteViews, getViewList, restoreViews, setViewOrder } from '@tessera/contract/projects/views'
import { useState } from 'react'
import { ConfirmDialog } from '../../../../components/confirm-dialog/confirm-dialog.tsx'
import { PlainDialog } from '../../../../components/dialog/plain-dialog.tsx'
import { EmptyState } from '../../../../components/empty-state/empty-state.tsx'
import { LoadProblem } from '../../../../components/empty-state/load-problem.tsx'
import { ListIcon } from '../../../../components/icons/icons.tsx'
import { SavedRow } from '../../../../components/saved-row/saved-row.tsx'
import { Sortable } from '../../../../components/sortable/sortable.tsx'
import { SortableItem, SortableList } from '../../../../components/sortable/sortable-item.tsx'
import { notify } from '../../../../components/toaster/toaster.tsx'
import { undo } from '../../../../components/toaster/undo.ts'
import { callQuery } from '../../../../lib/calls/api.ts'
import { useCallMutation } from '../../../../lib/calls/mutations/use-call-mutation.ts'
import { mayInProject, useSession } from '../../../../lib/session/session.tsx'
import { SaveViewDialog } from './save-view-dialog.tsx'
import type { SavedView } from './saved-view.ts'
import styles from './saved-views.module.css'

/** Remarks beside a view's name: shared, default, and so on. */
function remarksOn({ Scope, Mine, Default }: SavedView) {
  const shared = Mine ? 'shared by me' : 'shared'
  const seenBy = Scope === 'project' ? shared : 'only me'
  return Default ? `${seenBy} · opens first` : seenBy
}

interface ViewsDialogProps {
  idProject: number
  onDeleted?: (idView: number) => void
  onClose: () => void
}

/** The saved views of a project: to reorder, rename and delete them. */
export function ViewsDialog({ idProject, onDeleted, onClose }: ViewsDialogProps) {
  const query = useQuery(callQuery(getViewList, { idProject }))
  const reorder = useCallMutation(setViewOrder)
  const remove = useCallMutation(deleteViews)
  const restore = useCallMutation(restoreViews)
  const manages = mayInProject(useSession(), idProject, permission.manageProject)
  const [edited, edit] = useState<SavedView>()
  /** As it was when the question was asked: somebody else may delete it meanwhile. */
  const [doomed, ask] = useState<SavedView>()
  const byId = new Map(query.data?.map(view => [view.idView, view]))
  const deleteIt = (view: SavedView) =>
    remove.mutate(
      { idProject, ids: [view.idView] },
      {
        onSuccess: () => {
          ask(undefined)
          onDeleted?.(view.idView)
          const back = () => restore.mutateAsync({ idProject, ids: [view.idView] }).then(() => 'The view is back')
          notify.success(`The view ${view.Name} was deleted`, undo(back))
        },
        onError: problem => {
          ask(undefined)
          notify.failure(problem)
        },
      },
    )
  return (
    <>
      <PlainDialog title="Views" onClose={onClose}>
        <LoadProblem of={[query]} />
        {query.data?.length === 0 && (
          <EmptyState dense icon={<ListIcon />} title="There are no saved views yet">
            Arrange the list as you like it, then choose Save view in the menu View.
          </EmptyState>
        )}
        {query.data && query.data.length > 0 && (
          <Sortable
            lists={{ views: query.data.map(view => view.idView) }}
            readAt={query.dataUpdatedAt}
            nameOf={idView => byId.get(idView)?.Name ?? 'view'}
            onChange={lists =>
              reorder.mutateAsync(
                { idProject, SortOrder: lists.views ?? [] },
                { onError: problem => notify.failure(problem, 'The order could not be saved') },
              )
            }
          >
            {lists => (
              <SortableList as="ul" list="views">
                {(lists.views ?? []).map((idView, index) => {
                  const view = byId.get(idView)
                  if (!view) return null
                  return (
                    <SortableItem as="li" key={idView} id={idView} index={index} list="views" name={view.Name} className={styles.view}>
                      {handle => (
                        <SavedRow
                          name={view.Name}
                          remark={remarksOn(view)}
                          handle={handle}
                          disabled={view.Mine === 0 && !manages}
                          onEdit={() => edit(view)}
                          onDelete={() => ask(view)}
                        />
                      )}
                    </SortableItem>
                  )
                })}
              </SortableList>
            )}
          </Sortable>
        )}
      </PlainDialog>
      {edited && <SaveViewDialog idProject={idProject} saved={edited} onClose={() => edit(undefined)} />}
      <ConfirmDialog
        open={doomed !== undefined}
        title={`Delete the view ${doomed?.Name}?`}
        confirmLabel="DELETE"
        busy={remove.isPending}
        onClose={() => ask(undefined)}
        onConfirm={() => doomed && deleteIt(doomed)}
      >
        {doomed?.Scope === 'project' ? 'Everybody in the project loses it. The tickets stay as they are.' : 'The tickets stay as they are.'}
      </ConfirmDialog>
    </>
  )
}
