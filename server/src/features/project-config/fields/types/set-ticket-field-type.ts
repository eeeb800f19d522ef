import * as contract from '@tessera/contract/projects/project-config'
import { sql } from 'kysely'
import { implement } from '../../../../http/implement.ts'
import { addJob } from '../../../../lib/background/job-queue.ts'
import { changesOf, recordChanges } from '../../../../lib/changes.ts'
import { Failure } from '../../../../lib/failure.ts'
import { isReadAsText } from '../../../search/conditions/field-condition.ts'
import { lockConfiguration } from '../../ordered-rows.ts'
import { requireFewOptions, requireOptions } from '../field-options.ts'
import { readTypeChange } from './read-type-change.ts'

export const setTicketFieldType = implement(contract.setTicketFieldType, async ({ db, scope, input }) => {
  await lockConfiguration(db, scope)
  requireOptions(input.idControlType, undefined)
  const { typeId, before, unfit, options } = await readTypeChange(db, scope, input.idField, input.idControlType, true)
  if (typeId === input.idControlType) return { Success: 1 as const }
  const [first] = unfit
  if (first) {
    const more = unfit.length === 1 ? '' : `, and ${unfit.length - 1} more`
    throw new Failure('in_use', `The value "${first.value.slice(0, 80)}" ${first.reason}${more}: the type stays`)
  }
  const after = JSON.stringify(options)
  await sql`
    update field set type_id = ${input.idControlType}, options = ${after}::jsonb
    where organization_id = ${scope.organizationId} and id = ${input.idField}`.execute(db)
  if (options.length > before.length) await requireFewOptions(db, scope)
  const nameOf = (wanted: number) => contract.rendererOf(wanted) ?? String(wanted)
  const changes = changesOf(
    { subject: 'field', subjectId: input.idField, projectId: scope.projectId },
    { Type: [nameOf(typeId), nameOf(input.idControlType)], Options: [JSON.stringify(before), after] },
  )
  await recordChanges(db, scope, changes)
  if (isReadAsText(typeId) !== isReadAsText(input.idControlType))
    await addJob(db, 'index-field', { organizationId: scope.organizationId, fieldId: input.idField })
  return { Success: 1 as const }
})
