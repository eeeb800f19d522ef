import type { Db } from '../../db/db.ts'
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
  { db, organizationId, projectId, changeSetId }: ImportContext,
  changes: { subject: string; id: number; field: string; after: string }[],
) {
  if (changes.length === 0) return
  await db
    .insertInto('change')
    .values(
      changes.map(({ subject, id, field, after }) => ({
        organization_id: organizationId,
        change_set_id: changeSetId,
        subject,
        subject_id: id,
        project_id: projectId,
        field,
        after,
      })),
    )
    .execute()
}
