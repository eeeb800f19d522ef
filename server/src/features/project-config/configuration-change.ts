import type { ProjectScope } from '../../lib/authorize.ts'
import type { Change } from '../../lib/changes.ts'

/** A row of history about the project's configuration. */
export function configurationChange(
  scope: ProjectScope,
  subject: Change['subject'],
  subjectId: number | null,
  field: string,
  before: string | null,
  after: string | null,
): Change {
  return { subject, subjectId, projectId: scope.projectId, field, before, after }
}

/** The history of something new: the parts that it has. */
export function newParts(scope: ProjectScope, subject: Change['subject'], id: number, parts: Record<string, string | false | null>) {
  return Object.entries(parts).flatMap(([field, after]) => (after ? [configurationChange(scope, subject, id, field, null, after)] : []))
}
