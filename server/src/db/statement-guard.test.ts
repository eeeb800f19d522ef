import { expect, test } from 'vitest'
import { statementGuard } from './statement-guard.ts'

const guard = statementGuard(new Set(['ticket', 'project', 'assignment', 'change', 'session', 'organization_member']))

test.each([
  'select id from ticket where organization_id = $1 and id = $2',
  'select t.id from ticket t join project p on p.organization_id = t.organization_id and p.id = t.project_id where t.organization_id = $1',
  'select t.id from ticket t join project p using (organization_id) where p.organization_id = $1::bigint',
  'select 1 from ticket t where (t.organization_id, t.id) = ($1, $2)',
  'select (select count(*) from assignment a where a.organization_id = t.organization_id) from ticket t where t.organization_id = $1',
  'select t.id from ticket t left join lateral (select 1 from assignment a where a.organization_id = $1 and a.ticket_id = t.id limit 1) mine on true where t.organization_id = $1',
  'with page as (select * from ticket where organization_id = $1) select p.id from page join project p on p.organization_id = page.organization_id',
  'with recursive up as (select id, parent_id from ticket where organization_id = $1 and id = $2 union all select t.id, t.parent_id from ticket t join up on t.id = up.parent_id where t.organization_id = $1) select id from up',
  'insert into change (organization_id, field) values ($1, $2), ($3, $4)',
  "with s as (select nextval('change_set_id') as id) insert into change (organization_id, field) select $1::bigint, f from s, unnest($2::text[]) as f",
  'update ticket t set title = x.title from unnest($2::bigint[], $3::text[]) as x(id, title) where t.organization_id = $1 and t.id = x.id',
  'delete from assignment a using ticket t where t.organization_id = $1 and a.organization_id = t.organization_id',
  'select m.user_id from organization o join organization_member m on m.organization_id = o.id where o.id = $1',
  'select login from user_account where lower(login) = lower($1)',
  '/* all organizations: sign-in */ select organization_id from organization_member where user_id = $1',
  'select exists (select 1 from ticket where organization_id = $1) as found',
])('lets through: %s', text => {
  expect(() => guard(text)).not.toThrow()
})

test.each([
  'select id from ticket where id = $1',
  'select id from ticket where organization_id = $1 or id = $2',
  'select id from ticket where organization_id > $1',
  'select t.id from ticket t join project p on p.id = t.project_id where t.organization_id = $1',
  'select t.id from ticket t, assignment a where t.organization_id = $1 and a.ticket_id = t.id',
  'select (select count(*) from assignment a where a.ticket_id = t.id) from ticket t where t.organization_id = $1',
  'with page as (select * from ticket) select p.id from page join project p on p.organization_id = page.organization_id',
  'insert into change (field) values ($1)',
  'insert into change (organization_id, field) select id, $1 from organization',
  'update ticket set title = $1 where id = $2',
  'delete from session where user_id = $1',
  'select 1 union all select id from ticket',
  '/* all organizations: because */ select id from ticket',
  'select exists (select 1 from ticket where id = $1) as found',
])('refuses: %s', text => {
  expect(() => guard(text)).toThrow('organization_id')
})
