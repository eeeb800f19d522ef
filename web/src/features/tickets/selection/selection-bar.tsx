import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type PermissionId, permission } from '@tessera/contract/permissions'
import { getProjectData } from '@tessera/contract/projects/projects'
import { needsPermission } from '@tessera/contract/refusals'
import { queryTickets } from '@tessera/contract/tickets/tickets'
import { useState } from 'react'
import { Button } from '../../../components/button/button.tsx'
import { lazy } from '../../../components/lazy/lazy.tsx'
import { PermissionGate } from '../../../components/permission-gate/permission-gate.tsx'
import { VisuallyHidden } from '../../../components/visually-hidden/visually-hidden.tsx'
import { callQuery } from '../../../lib/calls/api.ts'
import { counted, formatNumber } from '../../../lib/display/format.ts'
import { useActions } from '../../../lib/input/actions.ts'
import { isFocusNowhere, keepFocus } from '../../../lib/input/keep-focus.ts'
import { permissionsIn, useSession } from '../../../lib/session/session.tsx'
import type { BulkTask } from './change/bulk-dialog.tsx'
import { clearSelection, countSelected, type Matching, selectAllMatching, useSelection } from './selection.ts'
import styles from './selection-bar.module.css'

const BulkDialog = lazy(async () => (await import('./change/bulk-dialog.tsx')).BulkDialog)

interface Task {
  task: BulkTask
  /** Its name in the palette. */
  name: string
  keys?: string
  needs: PermissionId
}
/** Those that have a button. */
const buttonTasks: (Task & { label: string })[] = [
  { task: 'change', label: 'CHANGE…', name: 'Change the selected tickets…', keys: 'e', needs: permission.viewTickets },
  { task: 'move', label: 'MOVE', name: 'Move the selected tickets…', needs: permission.editTickets },
  { task: 'trash', label: 'TRASH', name: 'Move the selected tickets to the trash…', needs: permission.deleteTickets },
  { task: 'watch', label: 'WATCH', name: 'Watch the selected tickets…', keys: 'm', needs: permission.viewTickets },
]
const otherTasks: Task[] = [
  { task: 'state', name: 'Change the state of the selected tickets…', keys: 's', needs: permission.changeState },
  { task: 'people', name: 'Change the assignees of the selected tickets…', keys: 'a', needs: permission.assignPeople },
  { task: 'labels', name: 'Change the labels of the selected tickets…', keys: 'l', needs: permission.editTickets },
]

interface SelectionBarProps {
  idProject: number
  /** Describes the tickets of the list or board around it. */
  matching: Matching
  /** On a ticket's page the keys belong to that ticket. */
  isOfTicket?: boolean
}

/** The actions for the selected tickets. While there are some, the keys of a row are theirs. */
export function SelectionBar({ idProject, matching, isOfTicket = false }: SelectionBarProps) {
  const [task, begin] = useState<BulkTask>()
  const selection = useSelection(idProject)
  const count = countSelected(selection)
  const { data } = useQuery({ ...callQuery(queryTickets, { idProject, ...matching, Limit: 1 }), placeholderData: keepPreviousData })
  const total = data?.Total ?? 0
  // A selected ticket may be gone.
  const idTicket = data?.Tickets[0]?.id ?? selection.ids.values().next().value
  const session = useSession()
  const { data: project } = useQuery(callQuery(getProjectData, { idProject }))
  const known = session.projects.find(({ id }) => id === idProject)
  const held = project?.Permissions ?? permissionsIn(session, idProject)
  const pcode = project?.ShortCode ?? known?.shortcode
  const words = selection.all ? `All ${formatNumber(count)} selected` : `${formatNumber(count)} selected`
  const refusalOf = (needs: PermissionId) => {
    if (count === 0) return 'Select a ticket first'
    return held?.includes(needs) ? undefined : needsPermission(needs)
  }
  useActions(
    [...buttonTasks, ...otherTasks].map(({ task, name, keys, needs }) => ({
      ...(keys && count > 0 && !isOfTicket && { keys }),
      label: name,
      refused: refusalOf(needs),
      isFirst: true,
      run: () => begin(task),
    })),
  )
  return (
    <section ref={returnToList} aria-label="Selected tickets" className={styles.bar}>
      <div className={styles.count}>{words}</div>
      <VisuallyHidden role="status">
        {selection.all ? `All ${counted(count, 'ticket')} selected` : `${counted(count, 'ticket')} selected`}
      </VisuallyHidden>
      {!selection.all && total > count && (
        <Button variant="text" onClick={() => selectAllMatching(idProject, matching, total)}>
          Select all {formatNumber(total)}
          {isEverything(matching) ? '' : ' that match'}
        </Button>
      )}
      <div className={styles.actions}>
        {buttonTasks.map(({ task, label, needs }) => (
          <PermissionGate key={task} idProject={idProject} needs={needs} held={held}>
            {refused => (
              <Button variant={task === 'change' ? 'contained' : 'text'} disabled={refused || count === 0} onClick={() => begin(task)}>
                {label}
              </Button>
            )}
          </PermissionGate>
        ))}
        <Button variant="text" onClick={() => clearSelection(idProject)}>
          CLEAR
        </Button>
      </div>
      {task && pcode !== undefined && idTicket !== undefined && (
        <BulkDialog
          idProject={idProject}
          pcode={pcode}
          idTicket={idTicket}
          selection={selection}
          count={count}
          task={task}
          onClose={() => begin(undefined)}
        />
      )}
    </section>
  )
}

/**
 * Keeps the focus in the bar when a button disappears. When the bar itself disappears, or the dialog that it opened, the focus moves to the current
 * ticket, or to the page's heading.
 */
function returnToList(bar: HTMLElement | null) {
  const list = bar?.parentElement
  const release = keepFocus(bar)
  return () => {
    release?.()
    queueMicrotask(() => {
      if (!isFocusNowhere()) return
      const ticket = list?.querySelector<HTMLElement>('tr[tabindex="0"], a[tabindex="0"]')
      ;(ticket ?? document.querySelector<HTMLElement>('h1'))?.focus()
    })
  }
}

/** Whether these are all tickets of the project. */
function isEverything({ Phases, ...others }: Matching) {
  return Phases?.length === 3 && Object.keys(others).length === 0
}
