import { useEffect } from 'react'
import type { CallError } from '../../../../lib/calls/api.ts'
import type { TicketView } from '../view/ticket-view.ts'
import type { ChangeView } from '../view/use-ticket-view.ts'
import { withoutColumns } from '../view/view-changes.ts'

/** Removes a column from the view if its field was deleted since it was chosen. */
export function useGoneColumn(error: CallError | null, { columns }: TicketView, change: ChangeView) {
  const path = error?.status === 400 ? error.fields[0]?.path : undefined
  const gone = columns[Number(/^Columns\.(\d+)$/.exec(path ?? '')?.[1])]
  useEffect(() => {
    if (gone) change(now => withoutColumns(now, name => name === gone))
  }, [gone, change])
}
