import { propertyType } from '@tessera/contract/projects/project-config'
import * as contract from '@tessera/contract/projects/projects'
import { sql } from 'kysely'
import { queryRows } from '../../db/db.ts'
import { bool, text } from '../../db/shape.ts'
import { implement } from '../../http/implement.ts'
import { changesOf, recordChanges } from '../../lib/changes.ts'
import { Failure, invalid } from '../../lib/failure.ts'
import { dueField } from './due-field.ts'

export const setProjectData = implement(contract.setProjectData, async ({ db, scope, input }) => {
  const { organizationId, projectId } = scope
  const [project] = await queryRows(db, { title: text, code: text, archived: bool, hold: bool, due: text })`
    select title, short_code as code, archived_at is not null as archived, blockers_hold as hold, ${dueField(organizationId)} as due from project
    where organization_id = ${organizationId} and id = ${projectId}`
  if (!project) throw new Error(`project ${projectId} is gone`)
  const { Title: title = project.title, ShortCode: code = project.code } = input
  const archived = input.Archived === undefined ? project.archived : input.Archived === 1
  const hold = input.BlockersHold === undefined ? project.hold : input.BlockersHold === 1
  const due = input.DueField ?? project.due
  if (input.DueField) {
    const { rows } = await sql`
      select 1 from field where organization_id = ${organizationId} and project_id = ${projectId} and key = ${input.DueField} and type_id = ${propertyType.DATE}
        and archived_at is null for key share`.execute(db)
    if (rows.length === 0) throw invalid('DueField', 'is not a DATE field of this project')
  }
  const changes = changesOf(
    { subject: 'project', subjectId: projectId, projectId },
    {
      Title: [project.title, title],
      ShortCode: [project.code, code],
      BlockersHold: [String(Number(project.hold)), String(Number(hold))],
      DueField: [project.due, due],
      Archived: [String(Number(project.archived)), String(Number(archived))],
    },
  )
  if (changes.length === 0) return { Success: 1 as const }

  const { rows: taken } = await sql`
    select 1 from project
    where organization_id = ${organizationId} and lower(short_code) = lower(${code}) and id <> ${projectId}`.execute(db)
  if (taken.length > 0) throw new Failure('duplicate', `The short code ${code} is taken in this organization`)
  const archivedAt = archived ? sql`now()` : sql`null`
  await sql`
    update project set title = ${title}, short_code = ${code}, blockers_hold = ${hold}, due_field_key = case when ${due !== project.due}::boolean then ${due} else due_field_key end,
      archived_at = ${archived === project.archived ? sql`archived_at` : archivedAt}
    where organization_id = ${organizationId} and id = ${projectId}`.execute(db)
  await recordChanges(db, scope, changes)
  return { Success: 1 as const }
})
