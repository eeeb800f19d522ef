import * as contract from '@tessera/contract/people/profile'
import { run, statement } from '../../db/db.ts'
import { bool, json, text } from '../../db/shape.ts'
import { implement } from '../../http/implement.ts'

export const getUserData = implement(contract.getUserData, async ({ db, scope, input }) => {
  const [row] = await run(db, profileStatement, [scope.organizationId, scope.userId])
  const { CalendarFeeds, ...profile } = row as NonNullable<typeof row>
  return input.CalendarFeeds === 1 ? { ...profile, CalendarFeeds } : profile
})

const profileStatement = statement(
  {
    Email: text,
    FullName: text,
    GivenName: text,
    AutoReceiveNotifications: bool,
    CalendarFeeds: json<{ idProject: number; Title: string; Feeds: number }[]>(),
  },
  `
  select u.email as "Email", u.full_name as "FullName", u.given_name as "GivenName", u.auto_receive_notifications as "AutoReceiveNotifications",
    coalesce((select json_agg(json_build_object('idProject', f.id, 'Title', f.title, 'Feeds', f.feeds) order by lower(f.title), f.id)
      from (
        select p.id, p.title, count(*)::int as feeds from project p
        join calendar_feed c on c.organization_id = $1 and c.project_id = p.id and c.owner_id = u.id
        where p.organization_id = $1 group by p.id, p.title) f), '[]') as "CalendarFeeds"
  from user_account u where u.id = $2`,
)
