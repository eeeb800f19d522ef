import type { Request } from '@tessera/contract/call'
import { limits } from '@tessera/contract/limits'
import * as contract from '@tessera/contract/tickets/bulk'
import { type Db, run, statement } from '../../../db/db.ts'
import { bool, int8, jsonb, nullable, text } from '../../../db/shape.ts'
import { implementWith } from '../../../http/implement.ts'
import { type ProjectScope, requireOpen, requireStillOpen } from '../../../lib/authorize.ts'
import type { Change } from '../../../lib/changes.ts'
import { Failure, notFound } from '../../../lib/failure.ts'
import { inTransaction } from '../../../lib/transaction.ts'
import { inTreeOrder } from '../moving/move-all.ts'
import { restoreAll, trashAll } from '../trash/queries.ts'
import { blockersFirst, byReason, gone, requireBulkRights } from './plan.ts'
import { readableRows } from './previewing/kept-tickets.ts'
import { titlesOf } from './previewing/titles.ts'
import { blocksAmong, lockTickets } from './queries.ts'
import { importedTickets, planImportRevert } from './reverting/plan-import-revert.ts'
import { planRevert, type RevertPlan, type Rows, rowsOf } from './reverting/plan-revert.ts'
import { isTrash, neededBy, ownWatching, reversed, unionOfChanges } from './reverting/revertible.ts'
import { type Answer, doSteps, type Step } from './steps/runs.ts'
import { applyPlan } from './writing/apply-plan.ts'

type Input = Request<typeof contract.revertChangeSet>

const readSet = statement(
  { what: text, revertedBy: nullable(int8), old: bool, own: bool },
  `
  select what, reverted_by as "revertedBy", made_at < now() - interval '${limits.revertDays} days' as old, user_id is not distinct from $4 as own
  from change_set_summary where organization_id = $1 and project_id = $2 and id = $3 for update`,
)
const lastRun = statement(
  { id: int8, applied: nullable(jsonb<Answer>()) },
  `
  select id, applied from bulk_preview
  where organization_id = $1 and project_id = $2 and reverts = $3 and created_at > now() - interval '1 day' order by id desc limit 1`,
)
const keepRun = statement(
  { id: int8 },
  `
  insert into bulk_preview (organization_id, project_id, user_id, change, found, tickets, total, reverts, also)
  values ($1, $2, $3, '{}', '{}', $4::jsonb, jsonb_array_length($4::jsonb), $5, $6::jsonb)
  returning id`,
)
// Whoever continues an interrupted revert sees its progress and may stop it.
const takeOver = statement({}, 'update bulk_preview set user_id = $3 where organization_id = $1 and id = $2')
// If the set was itself a revert, the set that it reverted is in effect again.
const noteRevert = statement(
  {},
  `
  update change_set_summary set reverted_by = case when id = $3 then $4::bigint end
  where organization_id = $1 and project_id = $2 and (id = $3 or reverted_by = $3)`,
)
// If the change has not been mailed yet, neither it nor its revert will be, nor an earlier revert that was stopped.
const forgetNotices = statement(
  {},
  `
  with gone as (delete from change_set_notice where organization_id = $1 and change_set_id = $2 returning 1)
  delete from change_set_notice where organization_id = $1 and exists (select from gone)
    and change_set_id in (select change_set_id from bulk_preview where organization_id = $1 and reverts = $2)`,
)

export const revertChangeSet = implementWith(
  contract.revertChangeSet,
  { opensNoTransaction: true, inSteps: true },
  async ({ db, scope, input, tellEverybody }) => {
    if (input.Preview) return await inTransaction(db, transaction => previewRevert(transaction, scope, input))
    tellEverybody()
    const begun = await inTransaction(db, transaction => begin(transaction, scope, input))
    if (typeof begun !== 'number') return begun
    return await doSteps(db, scope, begun, {
      step: (transaction, step) => revertStep(transaction, scope, input.idChangeSet, step),
      finish: async (transaction, { idChangeSet, Skipped }) => {
        if (idChangeSet === null) return
        const { organizationId, projectId } = scope
        await run(transaction, noteRevert, [organizationId, projectId, input.idChangeSet, idChangeSet])
        if (Skipped.every(({ Reason }) => Reason === gone)) await run(transaction, forgetNotices, [organizationId, input.idChangeSet])
      },
    })
  },
)

interface ReadSet {
  isImport: boolean
  tickets: number[]
  rows: Rows
  /** The answer of the completed revert. */
  answer: Answer | undefined
  /** The revert that was begun and interrupted. */
  unfinished: number | undefined
}

/** The set, with its row locked; refused unless it may be reverted or was reverted by the same input. */
async function readOpenSet(db: Db, scope: ProjectScope, idChangeSet: number): Promise<ReadSet> {
  const place = [scope.organizationId, scope.projectId, idChangeSet]
  const [set] = await run(db, readSet, [...place, scope.userId])
  if (!set) throw notFound()
  const isImport = set.what === 'import'
  const rows: Rows = isImport ? new Map() : await rowsOf(db, scope, idChangeSet, null)
  requireBulkRights(scope, isImport ? { Trash: 1 } : neededBy([...rows.values()]))
  const [last] = await run(db, lastRun, place)
  const isDone = set.revertedBy !== null && last?.applied?.idChangeSet === set.revertedBy
  if (!isDone) {
    requireOpen(scope)
    if (set.what === 'restore' && !isTrash([...rows.values()]))
      throw new Failure('rule', 'This restored a part of the project’s settings: delete it there again')
    if (!isImport && rows.size === 0 && !set.own) throw new Failure('rule', ownWatching)
    if (set.revertedBy !== null) throw new Failure('rule', 'This change has already been reverted')
    if (set.old) throw new Failure('rule', `A change can be reverted for ${limits.revertDays} days`)
  }
  return {
    isImport,
    rows,
    tickets: isImport ? await importedTickets(db, scope, idChangeSet) : [...rows.keys()],
    answer: isDone ? (last?.applied ?? undefined) : undefined,
    unfinished: last && !last.applied ? last.id : undefined,
  }
}

async function previewRevert(db: Db, scope: ProjectScope, { idChangeSet, Cursor, Also = [] }: Input) {
  const { isImport, tickets, rows, answer } = await readOpenSet(db, scope, idChangeSet)
  if (answer) throw new Failure('rule', 'This change has already been reverted')
  const back: RevertPlan = isImport ? await planImportRevert(db, scope, idChangeSet, tickets, Also) : await planRevert(db, scope, rows)
  const changing = [
    ...back.planned.map(({ stored, history }) => ({ id: stored.id, history })),
    ...back.groups.map(({ id, trashRootId }) => ({ id, history: [{ field: 'Trash' as const, before: String(trashRootId), after: null }] })),
    ...back.trash.map(id => ({ id, history: [{ field: 'Trash' as const, before: null, after: String(id) }] })),
  ]
  const from = Number(Cursor ?? 0)
  const to = from + limits.previewRows
  const page = changing.slice(from, to)
  const Refused = byReason(back.refused)
  const touched = new Set([...changing, ...back.refused].map(({ id }) => id))
  return {
    Total: tickets.length,
    Changed: changing.length,
    Same: tickets.filter(id => !touched.has(id)).length,
    Refused,
    Rows: await readableRows(db, scope, page),
    Titles: await titlesOf(
      db,
      scope,
      page.map(({ id }) => id),
      Refused,
    ),
    NextCursor: to < changing.length ? String(to) : null,
  }
}

/** Stores what is to be done, or finds a revert that was begun; returns the answer if all is done. */
async function begin(db: Db, scope: ProjectScope, { idChangeSet, Also = [] }: Input): Promise<number | Answer> {
  const { tickets, rows, answer, unfinished } = await readOpenSet(db, scope, idChangeSet)
  if (answer) return answer
  if (unfinished !== undefined) {
    await run(db, takeOver, [scope.organizationId, unfinished, scope.userId])
    return unfinished
  }
  // The tickets themselves are read and planned step by step: all at once would keep the process busy for a second.
  const going = [...rows]
    .map(([id, changed]) => ({ id, stateId: reversed(changed).State ?? null }))
    .filter(({ stateId }) => stateId !== null)
  // What comes back from the trash finds its parent there.
  const order = isTrash([...rows.values()]) ? await inTreeOrder(db, scope, tickets) : tickets
  const all = blockersFirst(order, await blocksAmong(db, scope, going)).map(id => ({ id }))
  const parts = [JSON.stringify(all), idChangeSet, JSON.stringify(Also)]
  const [kept] = await run(db, keepRun, [scope.organizationId, scope.projectId, scope.userId, ...parts])
  return (kept as { id: number }).id
}

async function revertStep(db: Db, early: ProjectScope, idChangeSet: number, { tickets, also, changeSetId }: Step) {
  const ids = tickets.map(({ id }) => id)
  const rows = await rowsOf(db, early, idChangeSet, ids)
  await lockTickets(db, early, ids, unionOfChanges([...rows.values()].map(reversed)))
  const scope = await requireStillOpen(db, early)
  const isImport = [...rows.values()].flat().some(({ field }) => field === 'Ticket')
  requireBulkRights(scope, isImport ? { Trash: 1 } : neededBy([...rows.values()]))
  const back: RevertPlan = isImport ? await planImportRevert(db, scope, idChangeSet, ids, also) : await planRevert(db, scope, rows)
  const beside: Change[] = [
    ...(back.groups.length > 0 ? await restoreAll(db, scope, back.groups) : []),
    ...(back.trash.length > 0 ? await trashAll(db, scope, back.trash) : []),
  ]
  const written = await applyPlan(db, scope, back.planned, { what: 'revert', id: changeSetId, reverts: idChangeSet }, beside)
  return {
    changeSetId: written,
    changed: back.planned.length + new Set(beside.map(({ ticketId }) => ticketId)).size,
    skipped: back.refused,
  }
}
