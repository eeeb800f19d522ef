import * as contract from '@tessera/contract/project-config'
import { sql } from 'kysely'
import { implement } from '../../../http/implement.ts'
import { Failure } from '../../../lib/failure.ts'
import { requireFreeName, restoreConfiguration } from '../queries.ts'
import { restorableDefaults } from './queries.ts'

export const restoreTicketTemplates = implement(contract.restoreTicketTemplates, ({ db, scope, input }) =>
  restoreConfiguration(db, scope, 'template', input.ids, async (id, { Name = '', EntryState, Fields, Position, Defaults = '' }) => {
    const { organizationId, projectId } = scope
    await requireFreeName(db, scope, 'template', Name)
    const defaults = Defaults && (await restorableDefaults(db, scope, JSON.parse(Fields ?? '[]'), JSON.parse(Defaults)))
    const { rows } = await sql`
      insert into template (organization_id, id, project_id, name, entry_state_id, position, defaults)
      select ${organizationId}::bigint, ${id}::bigint, ${projectId}::bigint, ${Name}, s.id, ${Position}::int, ${defaults ? JSON.stringify(defaults) : null}::jsonb
      from state s where s.organization_id = ${organizationId} and s.project_id = ${projectId} and s.id = ${EntryState}::bigint
      returning 1`.execute(db)
    if (rows.length === 0) throw new Failure('rule', `The state that ${Name} starts in is deleted: bring that back first`)
    // A field deleted in between stays deleted.
    await sql`
      insert into template_field (organization_id, project_id, template_id, field_id, position)
      select ${organizationId}::bigint, ${projectId}::bigint, ${id}::bigint, f.id, place.ordinality - 1
      from json_array_elements_text(${Fields}::json) with ordinality as place (id, ordinality)
      join field f on f.organization_id = ${organizationId} and f.project_id = ${projectId} and f.id = place.id::bigint`.execute(db)
  }),
)
