import type { Db } from '../../db/db.ts'
import { type Change, recordChanges, type TicketPart, ticketChange } from '../../lib/changes.ts'
import type { Problem } from '../export/plan.ts'

/** The shared state of one import: its transaction, its project, and its report. */
export interface ImportContext {
  db: Db
  organizationId: number
  projectId: number
  changeSetId: number
  /** Who runs the import, if it is known. */
  importerId: number | null
  /** Problems found while writing, in addition to those of the plan. */
  problems: Problem[]
}

/** History of the imported objects. */
export async function record(
  { db, organizationId, projectId, changeSetId, importerId }: ImportContext,
  changes: { subject: Change['subject']; id: number; field: string; after: string }[],
) {
  const rows = changes.map(({ id, ...change }) => ({ ...change, subjectId: id, projectId, before: null }))
  await recordChanges(db, { organizationId, userId: importerId }, rows, undefined, changeSetId)
}

/** History of what a later import adds to existing tickets. Nobody is mailed. */
export async function recordOnTickets(
  { db, organizationId, changeSetId, importerId }: ImportContext,
  changes: { ticketId: number; projectId: number; field: TicketPart; after: string }[],
) {
  const rows = changes.map(({ field, after, ...ticket }) => ({ ...ticketChange(ticket, field, null, after), quiet: true as const }))
  await recordChanges(db, { organizationId, userId: importerId }, rows, undefined, changeSetId)
}
