-- A restored label of the organization was listed in one project with the number of its tickets in all projects.
update change_set_summary s set tickets = own.tickets
from (
  select r.organization_id, r.id, count(distinct c.ticket_id)::int as tickets
  from change_set_summary r left join change c on c.organization_id = r.organization_id and c.change_set_id = r.id and c.project_id = r.project_id
  where r.what = 'restore' group by r.organization_id, r.id
) own
where s.organization_id = own.organization_id and s.id = own.id and s.tickets <> own.tickets;
