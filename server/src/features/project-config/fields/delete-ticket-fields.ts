import * as contract from '@tessera/contract/projects/project-config'
import { sql } from 'kysely'
import { implement } from '../../../http/implement.ts'
import { deleteOrArchive } from '../deletions.ts'
import { lockConfiguration, lockRows } from '../ordered-rows.ts'
import { fieldUsage } from './field-usage.ts'

export const deleteTicketFields = implement(contract.deleteTicketFields, async ({ db, scope, input }) => {
  await lockConfiguration(db, scope)
  const fields = await lockRows(db, scope, 'field', input.ids)
  const usage = await fieldUsage(db, scope, input.ids)
  const used = new Set(usage.filter(({ Templates, Tickets }) => Templates + Tickets > 0).map(({ id }) => id))
  // An empty value does not count as a use of the field.
  await sql`
    delete from ticket_value
    where organization_id = ${scope.organizationId} and field_id = any(${input.ids.filter(id => !used.has(id))})`.execute(db)
  return deleteOrArchive(db, scope, 'field', fields, used)
})
