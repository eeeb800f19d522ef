import { type PermissionId, permission } from '@tessera/contract/permissions'
import type { BulkTask } from './change/bulk-dialog.tsx'

interface Task {
  task: BulkTask
  /** Its name in the palette. */
  name: string
  keys?: string
  needs: PermissionId
}
/** Those that have a button. */
export const buttonTasks: (Task & { label: string })[] = [
  { task: 'change', label: 'CHANGE…', name: 'Change the selected tickets…', keys: 'e', needs: permission.viewTickets },
  { task: 'move', label: 'MOVE', name: 'Move the selected tickets…', needs: permission.editTickets },
  { task: 'trash', label: 'TRASH', name: 'Move the selected tickets to the trash…', needs: permission.deleteTickets },
  { task: 'watch', label: 'WATCH', name: 'Watch the selected tickets…', keys: 'm', needs: permission.viewTickets },
]
export const otherTasks: Task[] = [
  { task: 'state', name: 'Change the state of the selected tickets…', keys: 's', needs: permission.changeState },
  { task: 'people', name: 'Change the assignees of the selected tickets…', keys: 'a', needs: permission.assignPeople },
  { task: 'labels', name: 'Change the labels of the selected tickets…', keys: 'l', needs: permission.editTickets },
]
