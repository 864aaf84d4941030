-- What happened to accounts and what left the portal (docs/decisions/0035). No foreign keys: a record waits for nobody's row, and
-- stays as it was written whatever becomes of what it names.
create table security_event (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  kind text not null check (kind <> ''),
  site_id int,                                -- none: of no site, or not for the administrators of the account's
  customer_id int,                            -- that of the account
  account_id int,                             -- whom it is about; none for a name that nobody has
  by_account_id int,                          -- who did it, where that is somebody else
  facts jsonb not null default '{}'           -- never a name, an address or anything else that must be erasable
);
create index security_event_of_site on security_event (site_id, at, id);
create index security_event_of_all on security_event (at, id);
create index security_event_of_account on security_event (account_id, at);
create index security_event_of_nobody on security_event (at) where account_id is null;

-- From where: erased after 90 days, and with the data of the account (docs/decisions/0021).
create table security_event_origin (
  event_id bigint primary key references security_event,
  at timestamptz not null,
  site_id int,
  account_id int,                             -- whose address and device it is, as far as known
  address text not null check (length(address) <= 100),
  device text not null check (length(device) <= 200)
);
create index security_event_origin_at on security_event_origin (at);
create index security_event_origin_account on security_event_origin (account_id);

do $$
declare
  t text;
begin
  foreach t in array array['security_event', 'security_event_origin'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy site_rows on %I using (
      site_id = (select nullif(current_setting(''app.site'', true), '''')::int)
      or (select current_setting(''app.scope'', true) = ''system''))', t);
  end loop;
end $$;
create policy customer_rows on security_event as restrictive using (
  (select coalesce(current_setting('app.customer', true), '') = '')
  or customer_id = (select nullif(current_setting('app.customer', true), '')::int));
create policy administrators on security_event_origin as restrictive for select
  using ((select coalesce(current_setting('app.customer', true), '') = ''));

grant select, insert on security_event to wheelhouse_app;
grant select, insert, delete on security_event_origin to wheelhouse_app;

-- A document is written once: nobody deletes one or its lines. Of one that was written only its withdrawal can be noted, and it stays
-- with its vehicle and tyres when they go to another customer (0020_change_of_customer.sql).
revoke update, delete on document, document_line from wheelhouse_app;
grant update (withdrawn_at, withdrawn_by, withdrawn_reason, vehicle_id) on document to wheelhouse_app;
grant update (tyre_id) on document_line to wheelhouse_app;
create trigger record_keeps_its_tyre before update of tyre_id on document_line for each row execute function keep_record();
create trigger record_keeps_its_vehicle before update of vehicle_id on document for each row execute function keep_event();
revoke delete on document_counter from wheelhouse_app;
