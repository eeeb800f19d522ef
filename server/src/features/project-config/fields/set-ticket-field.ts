import { isDeepStrictEqual } from 'node:util'
import * as contract from '@tessera/contract/projects/project-config'
import { sql } from 'kysely'
import { counted } from '../../../counted.ts'
import { type Db, queryRows } from '../../../db/db.ts'
import { int2, int4, jsonb, text } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'
import type { ProjectScope } from '../../../lib/authorize.ts'
import { changesOf, recordChanges } from '../../../lib/changes.ts'
import { Failure, notFound } from '../../../lib/failure.ts'
import { selectionOf } from '../../tickets/values/field-values.ts'
import { lockConfiguration } from '../ordered-rows.ts'
import { type Option, removedOptions, requireFewOptions, requireOptions } from './field-options.ts'

export const setTicketField = implement(contract.setTicketField, async ({ db, scope, input }) => {
  await lockConfiguration(db, scope)
  const rows = await queryRows(db, { label: text, type_id: int2, options: jsonb<Option[]>() })`
    select label, type_id, options from field
    where organization_id = ${scope.organizationId} and project_id = ${scope.projectId} and id = ${input.idField} for update`
  const [field] = rows
  if (!field) throw notFound()
  requireOptions(field.type_id, input.FieldProps, field.options)
  if (input.FieldPropsBefore && !isDeepStrictEqual(input.FieldPropsBefore, field.options))
    throw new Failure('conflict', 'Somebody else changed the options meanwhile', { current: { FieldProps: field.options } })
  const label = input.Label ?? field.label
  const options = input.FieldProps ?? field.options
  await requireUnused(db, scope, input.idField, field.type_id, removedOptions(field.options, options))

  const [optionsBefore, optionsAfter] = [field.options, options].map(each => JSON.stringify(each)) as [string, string]
  const changes = changesOf(
    { subject: 'field', subjectId: input.idField, projectId: scope.projectId },
    { Label: [field.label, label], Options: [optionsBefore, optionsAfter] },
  )
  if (changes.length > 0) {
    await sql`
      update field set label = ${label}, options = ${optionsAfter}::jsonb
      where organization_id = ${scope.organizationId} and id = ${input.idField}`.execute(db)
    if (optionsAfter.length > optionsBefore.length) await requireFewOptions(db, scope)
    await recordChanges(db, scope, changes)
  }
  return { Success: 1 as const }
})

async function requireUnused(db: Db, scope: ProjectScope, fieldId: number, typeId: number, removed: Option[]) {
  if (removed.length === 0) return
  // A value is the option itself or, of a MULTISELECT, a JSON list of options.
  const rows = await queryRows(db, { value: text, tickets: int4 })`
    select v.value, count(*)::int as tickets from ticket_value v
    where v.organization_id = ${scope.organizationId} and v.field_id = ${fieldId}
      and case when ${typeId === contract.propertyType.MULTISELECT} then v.value <> '' else v.value = any(${removed.map(({ value }) => value)}::text[]) end
    group by v.value`
  const tickets = new Map<string, number>()
  for (const row of rows)
    for (const value of typeId === contract.propertyType.MULTISELECT ? new Set(selectionOf(row.value)) : [row.value])
      tickets.set(value, (tickets.get(value) ?? 0) + row.tickets)
  const named = removed.flatMap(({ value, label }) => {
    const count = tickets.get(value)
    return count === undefined ? [] : [`${counted(count, 'ticket has', 'tickets have')} the option ${label}`]
  })
  if (named.length > 0) throw new Failure('in_use', named.join('; '))
}
