import { useQuery } from '@tanstack/react-query'
import { permission } from '@tessera/contract/permissions'
import { getViewList, setView } from '@tessera/contract/projects/views'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Button } from '../../../../components/button/button.tsx'
import { notify } from '../../../../components/toaster/toaster.tsx'
import { callQuery } from '../../../../lib/calls/api.ts'
import { useCallMutation } from '../../../../lib/calls/mutations/use-call-mutation.ts'
import { focusHeading } from '../../../../lib/navigation/arrival.ts'
import { mayInProject, useSession } from '../../../../lib/session/session.tsx'
import { boardLanes } from '../../board/data/board-request.ts'
import type { TicketView } from '../view/ticket-view.ts'
import type { ChangeView } from '../view/use-ticket-view.ts'
import { contentOf, SaveViewDialog } from './save-view-dialog.tsx'
import { isChanged, type SavedView, viewOfSaved } from './saved-view.ts'
import styles from './saved-views.module.css'
import { withoutFields } from './without-fields.ts'

interface ViewBarProps {
  idProject: number
  view: TicketView
  onChange: ChangeView
}

/** Shows the loaded view and whether the list differs from it, and offers to save the difference. */
export function ViewBar({ idProject, view, onChange }: ViewBarProps) {
  const { data } = useQuery(callQuery(getViewList, { idProject }))
  const save = useCallMutation(setView)
  const session = useSession()
  const [isCopying, copy] = useState(false)
  const saved = data?.find(({ idView }) => idView === view.saved)
  const gone = saved?.Gone ?? []
  const isAs = (one: SavedView) => !isChanged({ ...view, lanes: boardLanes(idProject, view, session.idUser) }, one)
  const isAsSaved = saved !== undefined && isAs(saved)
  const leaveOut = useEffectEvent(() => onChange(now => withoutFields(now, gone)))
  const [shown, remember] = useState<SavedView>()
  if (saved && saved !== shown) remember(saved)
  // Not before a copy of it is saved: the dialog is part of this.
  const isDeleted = data !== undefined && !saved && !isCopying && shown?.idView === view.saved
  const letGo = useEffectEvent(() => {
    onChange({ saved: 0 })
    notify.info(`The view ${shown?.Name} was deleted or is no longer shared. The list stays as it is.`)
  })
  useEffect(() => {
    if (isDeleted) letGo()
  }, [isDeleted])
  // A list that shows the view as it was saved shows it as it is saved now: a renaming of what the query names rewrites it.
  const before = useRef(saved)
  const follow = useEffectEvent((former: SavedView) => {
    if (saved && saved.idView === former.idView && saved.Query !== former.Query && isAs(former)) onChange({ query: saved.Query })
  })
  useEffect(() => {
    if (!saved) return
    if (before.current) follow(before.current)
    before.current = saved
  }, [saved])
  const mustLeaveOut = isAsSaved && gone.length > 0
  useEffect(() => {
    if (mustLeaveOut) leaveOut()
  }, [mustLeaveOut])
  if (!data) return <div className={styles.bar} />
  const mayOverwrite = saved !== undefined && (saved.Mine === 1 || mayInProject(session, idProject, permission.manageProject))
  // It stays when the view is deleted meanwhile, or is another person's private one.
  const copying = isCopying && (
    <SaveViewDialog
      idProject={idProject}
      shown={view}
      name={mayOverwrite ? '' : (saved?.Name ?? '')}
      onSaved={next => onChange(() => next)}
      onClose={() => copy(false)}
    />
  )
  const overwrite = async () => {
    if (!saved) return
    try {
      const content = await contentOf(idProject, view)
      await save.mutateAsync({ idProject, idView: saved.idView, ...content })
      // Unless it was changed again meanwhile. Opening a ticket in the tree changes nothing of it.
      onChange(now => {
        const { open } = now
        const isSame = JSON.stringify({ ...now, open: view.open }) === JSON.stringify(view)
        return isSame ? { ...viewOfSaved({ ...saved, ...content }), open } : now
      })
      notify.success(`The view ${saved.Name} was saved`)
    } catch (problem) {
      notify.failure(problem as Error)
    }
  }
  const names = gone.map(name => `‘${name}’`).join(', ')
  return (
    <>
      {saved && (
        <div className={styles.bar}>
          <span className={styles.loaded}>
            View <b>{saved.Name}</b>
            {!isAsSaved && gone.length === 0 && ' (changed)'}
          </span>
          {gone.length > 0 && (
            <span role="status" className={styles.gone}>
              {gone.length === 1
                ? `The field ${names} was deleted: the view runs without it.`
                : `The fields ${names} were deleted: the view runs without them.`}
            </span>
          )}
          {!isAsSaved && (
            <Differences>
              {mayOverwrite && (
                <Button disabled={save.isPending} onClick={() => void overwrite()}>
                  SAVE
                </Button>
              )}
              <Button onClick={() => copy(true)}>{mayOverwrite ? 'SAVE AS' : 'SAVE AS MINE'}</Button>
              {gone.length === 0 && <Button onClick={() => onChange(() => viewOfSaved(saved))}>RESET</Button>}
            </Differences>
          )}
        </div>
      )}
      {copying}
    </>
  )
}

/** The buttons for what differs from the saved view; they disappear when one of them has ended the difference. */
function Differences({ children }: { children: ReactNode }) {
  useEffect(() => focusHeading, [])
  return children
}
