-- Which days of storage a document charges for which tyre (docs/decisions/0015).
create table document_tyre (
  site_id int not null references site,
  document_id int not null,
  tyre_id int not null,
  customer_id int not null,
  since date not null,                        -- the days after this one
  until date not null,                        -- up to this one, the document's date
  released_at timestamptz,                    -- its last invoice date was cleared: the days may be charged again
  primary key (site_id, document_id, tyre_id),
  foreign key (site_id, customer_id, document_id) references document (site_id, customer_id, id) on delete cascade,
  foreign key (site_id, customer_id, tyre_id) references tyre (site_id, customer_id, id),
  check (since < until)
);
-- A day of storage is charged once, whoever asks at the same moment.
create unique index document_tyre_once on document_tyre (site_id, tyre_id, since) where released_at is null;
create index document_tyre_until on document_tyre (site_id, tyre_id, until) where released_at is null;

create index document_customer on document (site_id, customer_id, document_date, id);
create index document_date on document (site_id, document_date, id);

-- What is still to be booked at the back office: written with the document, in its transaction (docs/decisions/0014).
create table outbox (
  site_id int not null references site,
  id bigint generated always as identity,
  document_id int not null,
  customer_id int not null,
  key uuid not null default gen_random_uuid(), -- a back office books what comes under one key once
  due_at timestamptz not null,
  tries int not null default 0,
  problem text not null default '' check (length(problem) <= 500), -- what the last try failed at
  booked_at timestamptz,
  reference text,                             -- under which number the back office has it
  primary key (site_id, id),
  unique (site_id, document_id),
  foreign key (site_id, customer_id, document_id) references document (site_id, customer_id, id) on delete cascade,
  check ((booked_at is null) = (reference is null))
);
create index outbox_due on outbox (due_at) where booked_at is null;

do $$
declare
  t text;
  at_site constant text := 'site_id = (select nullif(current_setting(''app.site'', true), '''')::int)';
  for_customer constant text := '(select nullif(current_setting(''app.customer'', true), '''')::int)';
  by_system constant text := '(select current_setting(''app.scope'', true) = ''system'')';
begin
  foreach t in array array['document_tyre', 'outbox'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    -- whoever empties the outbox works for all sites
    execute format('create policy site_rows on %I using (%s)', t, case t when 'outbox' then at_site || ' or ' || by_system else at_site end);
    execute format('create policy customer_rows on %I as restrictive using (%s is null or customer_id = %s)', t, for_customer, for_customer);
  end loop;
end $$;
grant select, insert, update on document_tyre to wheelhouse_app;
grant select, insert, update on outbox to wheelhouse_app;
