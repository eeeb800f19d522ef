-- A save of a text plans the statements of its search row once per connection and not each time, which took a quarter of the trigger's time.
-- PostgreSQL would plan them each time because an array of few words looks cheaper than one of unknown length. Citus needs custom plans.
do $$ begin
  if not exists (select from pg_extension where extname = 'citus') then
    alter function search_values_written set plan_cache_mode = force_generic_plan;
  end if;
end $$;
