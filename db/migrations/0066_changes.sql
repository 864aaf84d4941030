-- When a record was changed, for programs that keep a copy (docs/decisions/0057). The clock of the change, not of its transaction's
-- beginning: what a transaction changes is later than the transaction is old.
create function stamp_change() returns trigger language plpgsql as $$
begin
  new.changed_at := clock_timestamp();
  return new;
end $$;

do $$
declare
  t text;
begin
  foreach t in array array['vehicle', 'tyre', 'customer', 'operation', 'document'] loop
    execute format('alter table %I add column changed_at timestamptz not null default now()', t);
    execute format('create trigger change_is_stamped before insert or update on %I for each row execute function stamp_change()', t);
    execute format('create index %I on %I (site_id, changed_at, id)', t || '_changed', t);
  end loop;
end $$;

-- A record that a customer, or with deletion the site, no longer has: a copy has to drop it.
create table record_gone (
  site_id int not null references site,
  id bigint generated always as identity,
  customer_id int not null,                   -- who had it
  record text not null check (record in ('vehicle', 'tyre', 'operation')),
  record_id int not null,
  moved boolean not null,                     -- the site still has it, of another customer
  changed_at timestamptz not null default clock_timestamp(),
  primary key (site_id, id)
);
create index record_gone_changed on record_gone (site_id, record, changed_at, record_id);
alter table record_gone enable row level security;
alter table record_gone force row level security;
create policy site_rows on record_gone using (site_id = (select nullif(current_setting('app.site', true), '')::int));
create policy customer_rows on record_gone as restrictive using (
  (select coalesce(current_setting('app.customer', true), '') = '')
  or customer_id = (select nullif(current_setting('app.customer', true), '')::int));
grant select, insert on record_gone to wheelhouse_app;

create function note_gone() returns trigger language plpgsql as $$
begin
  insert into record_gone (site_id, customer_id, record, record_id, moved)
  values (old.site_id, old.customer_id, tg_table_name, old.id, tg_op = 'UPDATE');
  return null;
end $$;
create trigger operation_is_gone after delete on operation for each row execute function note_gone();
create trigger vehicle_moved after update of customer_id on vehicle
  for each row when (old.customer_id <> new.customer_id) execute function note_gone();
create trigger tyre_moved after update of customer_id on tyre
  for each row when (old.customer_id <> new.customer_id) execute function note_gone();
