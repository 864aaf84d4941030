-- A call that was made under a key of the client's answers the same when it is made again (docs/decisions/0012).
create table request_key (
  site_id int not null references site,
  account_id int not null references account on delete cascade,
  key uuid not null,
  customer_id int,                            -- whose account it is; none for an administrator
  digest bytea not null,                      -- of the call and what was asked
  answer text not null,                       -- as it was sent
  at timestamptz not null,
  primary key (site_id, account_id, key)
);
create index on request_key (at);

alter table request_key enable row level security;
alter table request_key force row level security;
create policy site_rows on request_key using (
  site_id = (select nullif(current_setting('app.site', true), '')::int)
  or (select current_setting('app.scope', true) = 'system'));
create policy customer_rows on request_key as restrictive using (
  (select nullif(current_setting('app.customer', true), '')::int) is null
  or customer_id = (select nullif(current_setting('app.customer', true), '')::int));
grant select, insert, delete on request_key to wheelhouse_app;
