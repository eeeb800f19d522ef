import { Suspense } from 'react'
import { lazy } from '../../../components/lazy/lazy.tsx'
import { useActions } from '../../../lib/input/actions.ts'
import { runOnArrival } from '../../../lib/input/run-on-arrival.ts'
import { buttonTasks, otherTasks } from './bulk-tasks.ts'
import { countSelected, useSelection } from './selection.ts'
import type { SelectionBarProps } from './selection-bar.tsx'

const Bar = lazy(async () => (await import('./selection-bar.tsx')).SelectionBar)

/** The bar of the selection, loaded when there is one. A key that is pressed before that is run as soon as the bar is there. */
export function SelectionBar(props: SelectionBarProps) {
  return (
    <Suspense fallback={<EarlyKeys {...props} />}>
      <Bar {...props} />
    </Suspense>
  )
}

function EarlyKeys({ idProject, isOfTicket }: SelectionBarProps) {
  const hasKeys = countSelected(useSelection(idProject)) > 0 && !isOfTicket
  const tasks = hasKeys ? [...buttonTasks, ...otherTasks] : []
  useActions(
    tasks.flatMap(({ keys, name }) => (keys ? [{ keys, label: name, run: () => runOnArrival(keys, window.location.pathname) }] : [])),
  )
  return null
}
