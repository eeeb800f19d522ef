import * as contract from '@tessera/contract/project-config'
import { sql } from 'kysely'
import { implement } from '../../../http/implement.ts'
import { Failure } from '../../../lib/failure.ts'
import { restoreConfiguration } from '../queries.ts'

export const restoreTicketFields = implement(contract.restoreTicketFields, ({ db, scope, input }) =>
  restoreConfiguration(db, scope, 'field', input.ids, async (id, { Label, Key, Type, Options, Position }) => {
    const { rows } = await sql`
      insert into field (organization_id, id, project_id, key, label, type_id, options, position)
      values (${scope.organizationId}, ${id}, ${scope.projectId}, ${Key}, ${Label}, ${Type}::smallint, ${Options}::jsonb, ${Position}::int)
      on conflict (organization_id, project_id, key) do nothing returning 1`.execute(db)
    if (rows.length === 0)
      throw new Failure('duplicate', `This project has a field with the database key ${Key} again: ${Label} stays deleted`)
  }),
)
