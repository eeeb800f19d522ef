-- Tickets that were purged before purging removed the values from their history.
update change c set before = null, after = null
where c.ticket_id is not null and (c.before is not null or c.after is not null)
  and not exists (select from ticket t where t.organization_id = c.organization_id and t.id = c.ticket_id);
drop function search_number(text);
