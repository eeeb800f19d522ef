import * as contract from '@tessera/contract/projects/project-config'
import { queryRows } from '../../../db/db.ts'
import { int8 } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'
import { Failure } from '../../../lib/failure.ts'
import { partOfEach, restoreConfiguration } from '../deletions.ts'
import { requireFewOptions } from './field-options.ts'

export const restoreTicketFields = implement(contract.restoreTicketFields, ({ db, scope, input }) =>
  restoreConfiguration(db, scope, 'field', input.ids, async deletions => {
    const each = (part: string) => partOfEach(deletions, part)
    const rows = await queryRows(db, { id: int8 })`
      insert into field (organization_id, project_id, id, key, label, type_id, options, position)
      select ${scope.organizationId}::bigint, ${scope.projectId}::bigint, f.id, f.key, f.label, f.type_id, f.options::jsonb, f.position
      from unnest(${deletions.map(({ id }) => id)}::bigint[], ${each('Key')}::text[], ${each('Label')}::text[], ${each('Type')}::smallint[],
        ${each('Options')}::text[], ${each('Position')}::int[]) as f (id, key, label, type_id, options, position)
      on conflict (organization_id, project_id, key) do nothing returning id`
    const made = new Set(rows.map(({ id }) => id))
    const taken = deletions.find(({ id }) => !made.has(id))?.parts
    if (taken) throw new Failure('duplicate', `Another field now has the database key ${taken.Key}, so ${taken.Label} stays deleted`)
    await requireFewOptions(db, scope)
  }),
)
