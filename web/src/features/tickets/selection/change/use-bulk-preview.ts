import type { Request, Response } from '@tessera/contract/call'
import { previewBulkChange } from '@tessera/contract/tickets/bulk'
import { notify } from '../../../../components/toaster/toaster.tsx'
import { CallError, post } from '../../../../lib/calls/api.ts'
import { type Selection, selectTickets } from '../selection.ts'
import type { BulkChange } from './change-draft.ts'
import { usePreview } from './use-preview.ts'

type Previewed = Response<typeof previewBulkChange>

/** A change to preview; `turn` counts the requests. */
export interface AskedChange {
  turn: number
  Change: BulkChange
}

interface BulkPreviewOptions {
  idProject: number
  pcode: string
  selection: Selection
  /** Nothing is read without it. */
  asked: AskedChange | undefined
}

/** The preview of a change of the selected tickets. Tickets that were deleted since leave the selection. */
export function useBulkPreview({ idProject, pcode, selection, asked }: BulkPreviewOptions) {
  /** What is left of the selection without the tickets that were deleted since. */
  const withoutGone = (refusal: unknown) => {
    if (!(refusal instanceof CallError) || refusal.status !== 404) return []
    const selected = [...selection.ids]
    const gone = refusal.fields.flatMap(({ path }) => selected[Number(/^Tickets\.(\d+)$/.exec(path)?.[1])] ?? [])
    if (gone.length === 0) return []
    const left = selected.filter(id => !gone.includes(id))
    notify.info(`Deleted meanwhile and left out: ${gone.map(id => `${pcode}-${id}`).join(', ')}`)
    selectTickets(idProject, left)
    return left
  }
  const read = async (before: Previewed | undefined): Promise<Previewed> => {
    if (before?.NextCursor) return post(previewBulkChange, { idProject, idPreview: before.idPreview, Cursor: before.NextCursor })
    const wanted = { idProject, ...(asked && { Change: asked.Change }) }
    try {
      return await post(previewBulkChange, { ...wanted, ...targetOf(selection) })
    } catch (refusal) {
      const Tickets = withoutGone(refusal)
      if (Tickets.length === 0) throw refusal
      return post(previewBulkChange, { ...wanted, Tickets })
    }
  }
  return usePreview([previewBulkChange.path, idProject, asked], read, asked !== undefined)
}

function targetOf({ ids, all }: Selection): Pick<Request<typeof previewBulkChange>, 'Tickets' | 'Query' | 'Filter' | 'Zone'> {
  if (!all) return { Tickets: [...ids] }
  const { Query, Zone, ...Filter } = all.matching
  return { Filter, ...(Query && { Query }), ...(Zone && { Zone }) }
}
