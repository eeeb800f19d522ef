import * as contract from '@tessera/contract/projects/project-config'
import { sql } from 'kysely'
import { queryRows } from '../../../db/db.ts'
import { int8 } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'
import { Failure } from '../../../lib/failure.ts'
import { partOfEach, restoreConfiguration } from '../deletions.ts'
import { requireFreeNames } from '../ordered-rows.ts'
import { restorableDefaults } from './defaults/stored-defaults.ts'

export const restoreTicketTemplates = implement(contract.restoreTicketTemplates, ({ db, scope, input }) =>
  restoreConfiguration(db, scope, 'template', input.ids, async deletions => {
    const { organizationId, projectId } = scope
    const [ids, names] = [deletions.map(({ id }) => id), deletions.map(({ parts }) => parts.Name ?? '')]
    await requireFreeNames(db, scope, 'template', names)
    const rows = await queryRows(db, { id: int8 })`
      insert into template (organization_id, project_id, id, name, entry_state_id, position, defaults)
      select ${organizationId}::bigint, ${projectId}::bigint, t.id, t.name, s.id, t.position, t.defaults::jsonb
      from unnest(${ids}::bigint[], ${names}::text[], ${partOfEach(deletions, 'EntryState')}::bigint[], ${partOfEach(deletions, 'Position')}::int[],
        ${await restorableDefaults(db, scope, deletions)}::text[]) as t (id, name, state_id, position, defaults)
      join state s on s.organization_id = ${organizationId} and s.project_id = ${projectId} and s.id = t.state_id
      returning id`
    const made = new Set(rows.map(({ id }) => id))
    const homeless = deletions.find(({ id }) => !made.has(id))
    if (homeless) throw new Failure('rule', `The state that ${homeless.parts.Name} starts in is deleted: restore it first`)
    // A field deleted in between stays deleted.
    await sql`
      insert into template_field (organization_id, project_id, template_id, field_id, position)
      select ${organizationId}::bigint, ${projectId}::bigint, t.id, f.id, place.ordinality - 1
      from unnest(${ids}::bigint[], ${partOfEach(deletions, 'Fields')}::text[]) as t (id, fields)
      cross join json_array_elements_text(t.fields::json) with ordinality as place (id, ordinality)
      join field f on f.organization_id = ${organizationId} and f.project_id = ${projectId} and f.id = place.id::bigint`.execute(db)
  }),
)
