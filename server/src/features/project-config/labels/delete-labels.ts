import type { Request } from '@tessera/contract/call'
import * as contract from '@tessera/contract/projects/labels'
import { sql } from 'kysely'
import { type Db, queryRows } from '../../../db/db.ts'
import { int8 } from '../../../db/shape.ts'
import { implementWith } from '../../../http/implement.ts'
import type { ProjectScope } from '../../../lib/authorize.ts'
import { type Change, recordChanges, ticketChange } from '../../../lib/changes.ts'
import { Failure, invalid } from '../../../lib/failure.ts'
import { inTransaction } from '../../../lib/transaction.ts'
import { withMutex } from '../../../lib/turns.ts'
import { labelReference } from '../../tickets/history/stored-values.ts'
import { rewriteQueries } from '../../views/renamed-words.ts'
import { partChanges } from '../deletions.ts'
import { requireAll } from '../ordered-rows.ts'
import { changeableLabels, findLabels, type Label, labelChanges, labelSubject, lockLabels } from './queries.ts'

type Input = Request<typeof contract.deleteLabels>

/** Tickets of one step. Others who save one of them, or give it the replacement, wait for a step only. */
const stepSize = 500
/** No further step begins after this time: a browser gives up after 120 s. */
const secondsAllowed = 90
/** What the first of several steps writes into the history of a label; the last step writes its other parts. */
const begunField = 'Deletion'

export const deleteLabels = implementWith(
  contract.deleteLabels,
  { opensNoTransaction: true, inSteps: true },
  async ({ db, scope, input }) => {
    const { ids, idReplacement } = input
    if (idReplacement !== undefined && ids.includes(idReplacement)) throw invalid('idReplacement', 'is one of the labels to delete')
    const began = performance.now()
    return await withMutex(`labels of ${scope.organizationId}`, async () => {
      let changeSetId: number | null = null
      // The last step, below, locks all that are left. Others may add the label meanwhile, so each step reads who carries it now.
      for (let tickets = await nextCarriers(db, scope, ids); tickets.length > stepSize; tickets = await nextCarriers(db, scope, ids)) {
        const [step, into]: [number[], number | null] = [tickets.slice(0, stepSize), changeSetId]
        changeSetId = await inTransaction(db, transaction => deleteStep(transaction, scope, input, into, step))
        // Returned, not thrown: others are told of the steps that are done.
        if (performance.now() - began > secondsAllowed * 1000)
          return new Failure(
            'rule',
            `After ${secondsAllowed} seconds some tickets still have the label. Repeat this to continue with them.`,
          )
      }
      await inTransaction(db, transaction => deleteStep(transaction, scope, input, changeSetId))
      return { Success: 1 as const }
    })
  },
)

/** The first tickets that carry one of the labels: those of a step and one more. */
async function nextCarriers(db: Db, { organizationId }: ProjectScope, ids: readonly number[]) {
  const rows = await queryRows(db, { ticketId: int8 })`
    select distinct ticket_id as "ticketId" from ticket_label where organization_id = ${organizationId} and label_id = any(${ids})
    order by ticket_id limit ${stepSize + 1}`
  return rows.map(({ ticketId }) => ticketId)
}

/** The change set of a deletion of these labels that was interrupted lately. It is continued, so that one restoration brings back what all parts took off. */
async function begunDeletion(db: Db, { organizationId }: ProjectScope, ids: readonly number[]): Promise<number | null> {
  const [begun] = await queryRows(db, { id: int8 })`
    select change_set_id as id from change
    where organization_id = ${organizationId} and subject = 'label' and subject_id = any(${ids}) and after is null
    group by subject_id, change_set_id having bool_and(field = ${begunField}) and max(changed_at) > now() - interval '1 day'
    order by change_set_id desc limit 1`
  return begun?.id ?? null
}

/** Takes the labels off the tickets of this step; in the last step, which names none, off all that are left, and deletes the labels. */
async function deleteStep(db: Db, asked: ProjectScope, { ids, idReplacement }: Input, earlier: number | null, tickets?: number[]) {
  const scope = await lockLabels(db, asked)
  const changeSetId = earlier ?? (await begunDeletion(db, scope, ids))
  const [replacement] = idReplacement === undefined ? [] : await findLabels(db, scope, [idReplacement])
  if (idReplacement !== undefined) requireAll(replacement ? [replacement] : [], [idReplacement])
  const labels = await changeableLabels(db, scope, ids)
  if (replacement && replacement.projectId !== null && labels.some(({ projectId }) => projectId === null))
    throw new Failure('rule', 'A label of the organization is replaced by another of the organization: other projects use it too')
  // Waits for those who are giving these labels to tickets, and keeps others from giving the replacement meanwhile.
  const locked = [...ids, ...(idReplacement === undefined ? [] : [idReplacement])]
  await sql`select 1 from label where organization_id = ${scope.organizationId} and id = any(${locked}) order by id for update`.execute(db)
  const taken = await takeOff(db, scope, labels, replacement, tickets)
  if (tickets) {
    const begun =
      changeSetId === null ? labels.flatMap(label => partChanges(labelSubject(label), { [begunField]: label.name }, 'deleted')) : []
    return (await recordChanges(db, scope, [...taken, ...begun], undefined, changeSetId)) ?? changeSetId
  }
  await sql`delete from label where organization_id = ${scope.organizationId} and id = any(${ids})`.execute(db)
  const queries = replacement ? await rewriteQueries(db, scope.organizationId, { kind: 'label', from: labels, to: replacement.name }) : []
  const deleted = labels.flatMap((label, index) => labelChanges(label, 'deleted', index === 0 ? queries : []))
  return await recordChanges(db, scope, [...taken, ...deleted], undefined, changeSetId)
}

/** Replaces the labels on those of the tickets that carry them, or on all; removes them if there is no replacement. */
async function takeOff(
  db: Db,
  { organizationId }: ProjectScope,
  labels: Label[],
  replacement: Label | undefined,
  of?: number[],
): Promise<Change[]> {
  const ids = labels.map(({ id }) => id)
  const among = of ? sql`and tl.ticket_id = any(${of})` : sql``
  const rows = await queryRows(db, { ticketId: int8, projectId: int8, labelId: int8 })`
    select t.id as "ticketId", t.project_id as "projectId", tl.label_id as "labelId"
    from ticket_label tl join ticket t on t.organization_id = ${organizationId} and t.id = tl.ticket_id
    where tl.organization_id = ${organizationId} and tl.label_id = any(${ids}) ${among} order by t.id, tl.label_id for update of tl`
  // The triggers of the search for an update and for a deletion write some of its rows each: all are locked before, in one order.
  const tickets = rows.map(({ ticketId }) => ticketId)
  await sql`
    select 1 from ticket_search where organization_id = ${organizationId} and ticket_id = any(${tickets}) order by ticket_id for no key update`.execute(
    db,
  )
  // On each ticket that does not carry the replacement, the first of the labels becomes it: deleting and inserting would call two triggers of the
  // search. `+ 0` excludes the index of labels: without statistics of a new label, the planner would read all its tickets for each ticket.
  const given = !replacement
    ? []
    : await queryRows(db, { ticketId: int8 })`
        update ticket_label tl set label_id = ${replacement.id}
        where tl.organization_id = ${organizationId} and tl.label_id = any(${ids}) ${among} and not exists (
          select 1 from ticket_label other where other.organization_id = ${organizationId} and other.ticket_id = tl.ticket_id
            and (other.label_id + 0 = ${replacement.id} or (other.label_id + 0 = any(${ids}) and other.label_id < tl.label_id)))
        returning ticket_id as "ticketId"`
  await sql`delete from ticket_label tl where tl.organization_id = ${organizationId} and tl.label_id = any(${ids}) ${among}`.execute(db)
  const isNew = new Set(given.map(({ ticketId }) => ticketId))
  const names = new Map(labels.map(({ id, name }) => [id, name]))
  // Tickets that carried the replacement before are left out: restoring the label must not remove it from them.
  return rows.map(row => {
    const before = labelReference(row.labelId, names.get(row.labelId) ?? '')
    const after = replacement && isNew.has(row.ticketId) ? labelReference(replacement.id, replacement.name) : null
    return { ...ticketChange(row, 'Label', before, after), quiet: true }
  })
}
