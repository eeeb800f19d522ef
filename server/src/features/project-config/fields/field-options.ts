import { limits } from '@tessera/contract/limits'
import { isOneLine } from '@tessera/contract/names'
import { rendererOf, typesWithOptions } from '@tessera/contract/projects/project-config'
import { type Db, queryRows } from '../../../db/db.ts'
import { int8 } from '../../../db/shape.ts'
import type { ProjectScope } from '../../../lib/authorize.ts'
import { Failure, invalid, notFound } from '../../../lib/failure.ts'

export interface Option {
  value: string
  label: string
}

/**
 * 400 for a duplicate value, one of several lines that was not there `before`, or options of a type without options; 404 for an unknown type.
 */
export function requireOptions(typeId: number, options: readonly Option[] | undefined, before: readonly Option[] = []) {
  if (rendererOf(typeId) === undefined) throw notFound()
  if (!options || options.length === 0) return
  if (!typesWithOptions.includes(typeId)) throw invalid('FieldProps', 'are only for the types SELECT and MULTISELECT')
  const known = new Set(before.map(({ value }) => value))
  const seen = new Set<string>()
  for (const [index, { value }] of options.entries()) {
    if (seen.has(value)) throw invalid(`FieldProps.${index}.value`, `repeats '${value}'`)
    if (!known.has(value) && !isOneLine(value)) throw invalid(`FieldProps.${index}.value`, 'must be on one line')
    seen.add(value)
  }
}

/**
 * 422 when the options of all fields of the project take more bytes than they may. Call it under the lock, after writing: the refusal undoes the
 * write.
 */
export async function requireFewOptions(db: Db, { organizationId, projectId }: ProjectScope) {
  const rows = await queryRows(db, { bytes: int8 })`
    select coalesce(sum(octet_length(options::text)), 0)::bigint as bytes from field
    where organization_id = ${organizationId} and project_id = ${projectId}`
  if ((rows[0]?.bytes ?? 0) <= limits.projectOptions) return
  throw new Failure('rule', `The options of all fields of a project may take at most ${limits.projectOptions / 2 ** 20} MB together`)
}

/** Options that a change removes; a changed label or position does not count. */
export function removedOptions(before: readonly Option[], after: readonly Option[]) {
  const kept = new Set(after.map(({ value }) => value))
  return before.filter(({ value }) => !kept.has(value))
}
