-- What somebody watches, for `is:watched` and for home.
create index subscription_user on subscription (organization_id, user_id, ticket_id);
