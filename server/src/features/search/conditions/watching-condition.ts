// SQL about ticket `t`: who watches it, in the same sense as for mails. Their own toggle decides; without one, people watch what they created or hold a role
// on, if their profile says so. $1 is the organization. The tickets are found by sets: checking ticket by ticket would take seconds in a large project.

/** One of the people watches the ticket. `people` is a condition on account `u`. */
export function watches(people: string, projects: string) {
  const isActive = `not u.disabled and ${people}`
  const viewers = `(
    select pm.project_id, u.id, u.auto_receive_notifications as auto from project_member pm join user_account u on u.id = pm.user_id
    where pm.organization_id = $1 and pm.project_id = any(${projects}) and pm.permissions & 1 = 1 and ${isActive}
    union
    select p.id, u.id, u.auto_receive_notifications from user_account u cross join unnest(${projects}) as p (id)
    where ${isActive} and (u.super or exists (select 1 from organization_member m where m.organization_id = $1 and m.user_id = u.id and m.admin)))`
  // Not EXCEPT, which would hash all tickets of these people: few have the toggle off.
  return `exists (select 1 from (
    select n.ticket_id from ${viewers} v join subscription n on n.organization_id = $1 and n.user_id = v.id and n.enabled
    join ticket watched on watched.organization_id = $1 and watched.id = n.ticket_id and watched.project_id = v.project_id
    union all
    select ticket_id from (
      select a.ticket_id, a.user_id from ${viewers} v
      join assignment a on a.organization_id = $1 and a.user_id = v.id and a.project_id = v.project_id where v.auto
      union all
      select own.id, own.created_by from ${viewers} v
      join ticket own on own.organization_id = $1 and own.project_id = v.project_id and own.created_by = v.id where v.auto
    ) automatic
    where not exists (select 1 from subscription n
      where n.organization_id = $1 and n.ticket_id = automatic.ticket_id and n.user_id = automatic.user_id and not n.enabled)
  ) by where by.ticket_id = t.id)`
}

/** The caller watches the ticket. */
export function isWatchedBy(user: string) {
  const subscribed = (enabled: string) =>
    `t.id in (select n.ticket_id from subscription n where n.organization_id = $1 and n.user_id = ${user} and ${enabled})`
  return `(${subscribed('n.enabled')} or (exists (select 1 from user_account u where u.id = ${user} and u.auto_receive_notifications)
    and (t.created_by = ${user} or t.id in (select a.ticket_id from assignment a where a.organization_id = $1 and a.user_id = ${user}))
    and not ${subscribed('not n.enabled')}))`
}
