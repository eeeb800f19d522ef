// Each line names a thing of which only a part is there.
export const tornQuery = `
  select 'ticket without history' as what, t.id from ticket t where t.organization_id = $1
    and not exists (select from change c where c.organization_id = $1 and c.ticket_id = t.id and c.field = 'Ticket')
  union all
  select 'history without ticket', c.ticket_id from change c where c.organization_id = $1 and c.ticket_id is not null
    and not exists (select from ticket t where t.organization_id = $1 and t.id = c.ticket_id)
  union all
  select 'comments and their history differ on ticket', coalesce(a.ticket_id, b.ticket_id)
    from (select ticket_id, count(*) from comment where organization_id = $1 group by 1) a
    full join (select ticket_id, count(*) from change where organization_id = $1 and field = 'Comment' group by 1) b using (ticket_id)
    where a.count is distinct from b.count
  union all
  select 'attachments and their history differ on ticket', coalesce(a.ticket_id, b.ticket_id)
    from (select ticket_id, count(*) filter (where deleted_at is null) from attachment where organization_id = $1 group by 1) a
    full join (select ticket_id, count(after) - count(before) as count from change where organization_id = $1 and field = 'Attachment' group by 1) b
      using (ticket_id)
    where a.count is distinct from b.count
  union all
  select 'attachment bytes do not add up', o.id from organization o where o.id = $1
    and o.attachment_bytes <> (select coalesce(sum(bytes), 0) from attachment where organization_id = $1)
  union all
  select 'change without a notice in the outbox, ticket', c.ticket_id from change c
    left join ticket_notice n on n.organization_id = $1 and n.ticket_id = c.ticket_id
    where c.organization_id = $1 and c.ticket_id is not null group by c.ticket_id, n.first_change_id
    having n.first_change_id is null or n.first_change_id > min(c.id)
  union all
  select 'person without history', m.user_id from organization_member m join user_account u on u.id = m.user_id
    where m.organization_id = $1 and u.login like 'made-%'
    and not exists (select from change c where c.organization_id = $1 and c.subject = 'user' and c.subject_id = u.id)
  union all
  select 'broken chain of history, change', id from (
    select id, before, lag(after) over w as previous, lag(id) over w as earlier from change
    where organization_id = $1 and (field = 'Title' or field like 'data.%') window w as (partition by ticket_id, field order by id)
  ) chain where earlier is not null and before is distinct from previous
  union all
  select 'title that is not the last in history, ticket', t.id from ticket t
    join (select distinct on (ticket_id) ticket_id, after from change where organization_id = $1 and field = 'Title' order by ticket_id, id desc) c
      on c.ticket_id = t.id where t.organization_id = $1 and t.title <> c.after
  union all
  select 'version that does not count the saves, ticket', t.id from ticket t
    left join (select ticket_id, count(distinct change_set_id) from change where organization_id = $1
      and (field = 'Title' or field like 'data.%') group by 1) c on c.ticket_id = t.id
    where t.organization_id = $1 and t.version <> 1 + coalesce(c.count, 0)
  union all
  select 'type that is not the last in history, ticket', t.id from ticket t
    join (select distinct on (ticket_id) ticket_id, after from change where organization_id = $1 and field = 'Type' order by ticket_id, id desc) c
      on c.ticket_id = t.id where t.organization_id = $1 and t.template_id::text <> c.after
  union all
  select 'labels and their history differ on ticket', coalesce(a.ticket_id, b.ticket_id)
    from (select ticket_id, count(*) from ticket_label where organization_id = $1 group by 1) a
    full join (select ticket_id, count(after) - count(before) as count from change where organization_id = $1 and field = 'Label' group by 1) b
      using (ticket_id)
    where coalesce(a.count, 0) <> coalesce(b.count, 0)
  union all
  select 'assignees and their history differ on ticket', coalesce(a.ticket_id, b.ticket_id)
    from (select ticket_id, count(*) from assignment where organization_id = $1 group by 1) a
    full join (select ticket_id, count(after) - count(before) as count from change where organization_id = $1 and field = 'Assignee' group by 1) b
      using (ticket_id)
    where coalesce(a.count, 0) <> coalesce(b.count, 0)
  union all
  select 'link without history at both ends', l.id from ticket_link l
    left join (
      select ticket_id, (after::json ->> 'idTicket')::bigint as other_id from change where organization_id = $1 and field = 'Link'
    ) c on least(c.ticket_id, c.other_id) = l.from_ticket_id and greatest(c.ticket_id, c.other_id) = l.to_ticket_id
    where l.organization_id = $1 group by l.id having count(c.ticket_id) <> 2
  union all
  select 'label whose name is not the last in history', l.id from label l
    join (select distinct on (subject_id) subject_id, after from change where organization_id = $1 and subject = 'label' and field = 'Name'
      order by subject_id, id desc) c on c.subject_id = l.id where l.organization_id = $1 and l.name <> c.after
  union all
  select 'search that is not the last in history', s.id from saved_search s
    join (select distinct on (subject_id) subject_id, after from change where organization_id = $1 and subject = 'search'
      order by subject_id, id desc) c on c.subject_id = s.id
    where s.organization_id = $1 and s.query not like 'label:%' and s.query <> c.after::json ->> 'query'
  union all
  select 'query whose label has another name', q.id from (
    select id, query from ticket_view where organization_id = $1 union all select id, query from saved_search where organization_id = $1
  ) q where q.query like 'label:%' and not exists (select from label l where l.organization_id = $1 and q.query = 'label:"' || l.name || '"')`
