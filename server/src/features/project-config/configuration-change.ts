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
