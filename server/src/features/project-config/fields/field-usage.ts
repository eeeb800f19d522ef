import { type Db, queryRows } from '../../../db/db.ts'
import { int4, int8 } from '../../../db/shape.ts'
import type { ProjectScope } from '../../../lib/authorize.ts'

/** Per field: templates that have it, tickets with a value for it. */
export async function fieldUsage(db: Db, scope: ProjectScope, ids: readonly number[]) {
  return queryRows(db, { id: int8, Templates: int4, Tickets: int4 })`
    select f.id,
      (select count(*)::int from template_field tf where tf.organization_id = ${scope.organizationId} and tf.field_id = f.id) as "Templates",
      (select count(*)::int from ticket_value v
        where v.organization_id = ${scope.organizationId} and v.field_id = f.id and v.value <> '') as "Tickets"
    from field f
    where f.organization_id = ${scope.organizationId} and f.project_id = ${scope.projectId} and f.id = any(${ids})
    order by f.position, f.id`
}
