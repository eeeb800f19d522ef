import type { Request } from '@tessera/contract/call'
import { limits } from '@tessera/contract/limits'
import * as contract from '@tessera/contract/tickets/bulk'
import { type Db, run, statement } from '../../../db/db.ts'
import { int8, jsonb } from '../../../db/shape.ts'
import { implementWith } from '../../../http/implement.ts'
import { type ProjectScope, requireOpen, requireStillAllowed } from '../../../lib/authorize.ts'
import { Failure, invalid, notFound, notFoundAt } from '../../../lib/failure.ts'
import { inTransaction } from '../../../lib/transaction.ts'
import { requireZone } from '../../search/dates/zone.ts'
import { listedIds } from '../finding/look-up.ts'
import { inTreeOrder } from '../moving/move-all.ts'
import { blockersFirst, byReason, requireBulkRights, requireMeaningfulChange } from './plan.ts'
import { requireFewTexts, requireFittingValues, withoutIdleLabels } from './previewing/change-checks.ts'
import { type KeptTicket, keptTicket, readableRows } from './previewing/kept-tickets.ts'
import { titlesOf } from './previewing/titles.ts'
import { countBelow, planFor, readTickets } from './queries.ts'

type Input = Request<typeof contract.previewBulkChange>
interface Found {
  Total: number
  Changed: number
  Same: number
  Along?: number
  Refused: { Reason: string; Tickets: number[] }[]
}

// While it waits for its turn it has no transaction, and so no connection.
export const previewBulkChange = implementWith(contract.previewBulkChange, { opensNoTransaction: true }, ({ db, scope, input }) =>
  inTransaction(db, transaction => preview(transaction, scope, input)),
)

async function preview(db: Db, scope: ProjectScope, input: Input) {
  const { idProject: _, idPreview, Cursor, ...anew } = input
  if (idPreview !== undefined) {
    const [other] = Object.keys(anew)
    if (other !== undefined) throw invalid(other, 'cannot be given with idPreview')
    return await laterRows(db, scope, idPreview, Number(Cursor ?? 0))
  }
  const { Change: asked } = anew
  if (asked === undefined) throw invalid('Change', 'is missing')
  requireMeaningfulChange(asked)
  requireOneChoice(input)
  requireBulkRights(scope, asked)
  requireOpen(scope)
  const ids = await idsOf(db, scope, input)
  const Change = await withoutIdleLabels(db, scope, ids, asked)
  await requireFewTexts(db, scope, ids, Change)
  const stored = await readTickets(db, scope, ids, Change)
  const present = new Set(stored.map(({ id }) => id))
  const gone = (input.Tickets ?? []).flatMap((id, index) => (present.has(id) ? [] : [`Tickets.${index}`]))
  if (gone.length > 0) throw notFoundAt(gone)
  await requireFittingValues(db, scope, stored, Change)
  const plan = await planFor(
    db,
    scope,
    stored.map(ticket => ({ stored: ticket, wanted: Change })),
  )
  const changingById = new Map(plan.planned.filter(({ history }) => history.length > 0).map(planned => [planned.stored.id, planned]))
  // A ticket goes to the trash with its ancestor, even in an earlier step, and comes back with it.
  const order = Change.Trash ? await inTreeOrder(db, scope, [...changingById.keys()]) : blockersFirst([...changingById.keys()], plan.blocks)
  const changing = order.flatMap(id => changingById.get(id) ?? [])
  const found = {
    Total: stored.length,
    Changed: changing.length,
    Same: plan.planned.length - changing.length,
    ...(Change.Trash && { Along: await countBelow(db, scope, [...changingById.keys()]) }),
    Refused: byReason(plan.refused),
  }
  const tickets = changing.map(keptTicket)
  const parts = [Change, found, tickets].map(part => JSON.stringify(part))
  const [kept] = await run(db, keep, [scope.organizationId, scope.projectId, scope.userId, ...parts])
  await requireStillAllowed(db, scope)
  return await answer(db, scope, { id: (kept as { id: number }).id, found, tickets }, 0)
}

function requireOneChoice({ Tickets, Query, Filter, Zone }: Input) {
  if ((Tickets === undefined) === (Query === undefined && Filter === undefined))
    throw invalid('Tickets', 'must be given if Query and Filter are not, and only then')
  requireZone(Zone)
}

/** The tickets that the input names or finds; 422 when there are too many. */
async function idsOf(db: Db, scope: ProjectScope, { idProject, Tickets, Query, Filter, Zone }: Input) {
  if (Tickets) return Tickets
  // An empty query finds every ticket, as in the search.
  const every = Filter === undefined && Query?.trim() === ''
  const input = { idProject, ...Filter, ...(every && { Phases: [1, 2, 3] as [1, 2, 3] }), ...(Query && { Query }), ...(Zone && { Zone }) }
  const { ids, total } = await listedIds(db, scope, input, limits.bulkTickets)
  if (total > limits.bulkTickets)
    throw new Failure('rule', `At most ${limits.bulkTickets} tickets can be changed at once, and these are ${total}: choose fewer`)
  return ids
}

const keep = statement(
  { id: int8 },
  `
  insert into bulk_preview (organization_id, project_id, user_id, change, found, tickets, total)
  values ($1, $2, $3, $4::jsonb, $5::jsonb, $6::jsonb, jsonb_array_length($6::jsonb)) returning id`,
)
const keptStatement = statement(
  { found: jsonb<Found>(), tickets: jsonb<KeptTicket[]>() },
  `
  select found, tickets from bulk_preview
  where organization_id = $1 and project_id = $2 and id = $3 and user_id = $4 and created_at > now() - interval '1 day'`,
)

async function laterRows(db: Db, scope: ProjectScope, id: number, from: number) {
  const [kept] = await run(db, keptStatement, [scope.organizationId, scope.projectId, id, scope.userId])
  if (!kept) throw notFound()
  return await answer(db, scope, { id, ...kept }, from)
}

interface Preview {
  id: number
  found: Found
  tickets: readonly KeptTicket[]
}

/** The rows of the preview from this one on. */
async function answer(db: Db, scope: ProjectScope, { id, found, tickets }: Preview, from: number) {
  const to = from + limits.previewRows
  const page = tickets.slice(from, to)
  const Rows = await readableRows(db, scope, page)
  const Titles = await titlesOf(
    db,
    scope,
    page.map(row => row.id),
    found.Refused,
  )
  return { idPreview: id, ...found, Rows, Titles, NextCursor: to < tickets.length ? String(to) : null }
}
