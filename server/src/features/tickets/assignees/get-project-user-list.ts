import * as contract from '@tessera/contract/tickets/assignees'
import { run, unpreparedStatement } from '../../../db/db.ts'
import { int8, text } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'
import { personName } from './person-name.ts'

// Read from the end of the primary key, so that the time it takes does not grow with the history.
const latestChanges = 5000

const members = (order: string) =>
  unpreparedStatement(
    { id: int8, text },
    `
  select u.id, ${personName} as text
  from project_member m join user_account u on u.id = m.user_id ${order}
  where m.organization_id = $1 and m.project_id = $2 and (not u.disabled or u.id = any(array(
    select a.user_id from assignment a where a.organization_id = $1 and a.ticket_id = $3)))
  order by ${order && 'lately.change_id desc nulls last, newest.ticket_id desc nulls last, '}lower(unaccent(${personName})), u.id`,
  )
const byName = members('')
// Who changed something lately, then who holds a role on the newest tickets.
const byWork = members(`
  left join (
    select c.user_id, max(c.id) as change_id
    from (select id, user_id, project_id, subject from change where organization_id = $1 order by id desc limit ${latestChanges}) c
    where c.project_id = $2 and c.subject = 'ticket' group by c.user_id) lately on lately.user_id = u.id
  left join lateral (
    select a.ticket_id from assignment a
    where a.organization_id = $1 and a.user_id = u.id and a.project_id = $2 order by a.ticket_id desc limit 1) newest on true`)

export const getProjectUserList = implement(contract.getProjectUserList, ({ db, scope, input }) =>
  run(db, input.Recent === 1 ? byWork : byName, [scope.organizationId, scope.projectId, scope.ticketId]),
)
