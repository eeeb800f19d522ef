import { isDeepStrictEqual } from 'node:util'
import * as contract from '@tessera/contract/projects/project-config'
import { sql } from 'kysely'
import { queryRows } from '../../../db/db.ts'
import { int8, nullable, text } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'
import { changesOf, recordChanges } from '../../../lib/changes.ts'
import { Failure, notFound } from '../../../lib/failure.ts'
import { rewriteQueries } from '../../views/renamed-words.ts'
import { lockConfiguration, requireFreeNames } from '../ordered-rows.ts'
import { knownDefaults, readDefaults, storeDefaults } from './defaults/stored-defaults.ts'
import { requireFields, requireState, setTemplateFields, templateFields } from './queries.ts'

export const setTicketTemplate = implement(contract.setTicketTemplate, async ({ db, scope, input }) => {
  await lockConfiguration(db, scope)
  const id = input.idTicketTemplate
  const rows = await queryRows(db, { name: text, entryStateId: int8, defaults: nullable(text) })`
    select name, entry_state_id as "entryStateId", defaults::text as defaults from template
    where organization_id = ${scope.organizationId} and project_id = ${scope.projectId} and id = ${id}`
  const [template] = rows
  if (!template) throw notFound()
  const { Label: name = template.name, idEntryState: entryStateId = template.entryStateId, Fields } = input
  if (entryStateId !== template.entryStateId) await requireState(db, scope, entryStateId)
  const storedFields = await templateFields(db, scope, id)
  if (Fields) await requireFields(db, scope, Fields)
  const defaults = input.Defaults && (await knownDefaults(db, scope, Fields ?? storedFields, input.Defaults))
  const storedDefaults = (await readDefaults(db, scope, storedFields, template.defaults && JSON.parse(template.defaults))) ?? {}
  if (
    !isDeepStrictEqual(input.FieldsBefore ?? storedFields, storedFields) ||
    !isDeepStrictEqual(input.DefaultsBefore ?? storedDefaults, storedDefaults)
  ) {
    throw new Failure('conflict', 'Somebody else changed this template meanwhile', {
      current: { Fields: storedFields, Defaults: storedDefaults },
    })
  }
  if (name !== template.name) await requireFreeNames(db, scope, 'template', [name], id)

  const fieldsBefore = JSON.stringify(storedFields)
  const fieldsAfter = Fields ? JSON.stringify(Fields) : fieldsBefore
  if (Fields && fieldsAfter !== fieldsBefore) await setTemplateFields(db, scope, id, Fields)
  if (name !== template.name || entryStateId !== template.entryStateId) {
    await sql`
      update template set name = ${name}, entry_state_id = ${entryStateId}
      where organization_id = ${scope.organizationId} and id = ${id}`.execute(db)
  }
  const { organizationId, projectId } = scope
  if (name !== template.name)
    await rewriteQueries(db, organizationId, { kind: 'type', from: [{ projectId, name: template.name }], to: name })
  const defaultsAfter = defaults === undefined ? template.defaults : await storeDefaults(db, scope, id, defaults)
  const changes = changesOf(
    { subject: 'template', subjectId: id, projectId: scope.projectId },
    {
      Name: [template.name, name],
      EntryState: [String(template.entryStateId), String(entryStateId)],
      Fields: [fieldsBefore, fieldsAfter],
      Defaults: [template.defaults, defaultsAfter],
    },
  )
  await recordChanges(db, scope, changes)
  return { Success: 1 as const }
})
