import { propertyType } from '@tessera/contract/projects/project-config'
import { sql } from 'kysely'

/** SQL: the key of the DATE field that says when a ticket of `project` is due, or ''. Deleted and archived fields do not count. */
export const dueField = (organizationId: number) => sql`coalesce((select f.key from field f
  where f.organization_id = ${organizationId} and f.project_id = project.id and f.type_id = ${propertyType.DATE} and f.archived_at is null
    and f.key = coalesce(project.due_field_key, case when lower(f.key) = 'due' then f.key end) limit 1), '')`
