-- Messages about accounts (docs/decisions/0037). Who gets one, and under which address, is read when it is sent: none of that
-- stands here. Nor does the token of a link: the message has it, its hash is in account_link.

alter table account add email text not null default '' check (length(email) <= 100);

create table mail (
  id bigint generated always as identity primary key,
  site_id int references site,                -- none for a superuser
  customer_id int,
  account_id int not null references account on delete cascade,
  kind text not null check (kind <> ''),
  facts jsonb not null default '{}',
  created_at timestamptz not null,
  due_at timestamptz not null,
  tries int not null default 0,
  problem text not null default '' check (length(problem) <= 500), -- what the last try failed at
  sent_at timestamptz,
  given_up_at timestamptz,
  kept jsonb,                                 -- in the demo: the message itself, which nobody gets
  check (sent_at is null or given_up_at is null)
);
create index mail_due on mail (due_at) where sent_at is null and given_up_at is null;
create index mail_account on mail (account_id, id);

create table account_link (
  hash bytea primary key,                     -- of the token
  mail_id bigint not null references mail on delete cascade,
  site_id int references site,
  customer_id int,
  account_id int not null references account on delete cascade,
  kind text not null check (kind <> ''),
  expires_at timestamptz not null
);
create index account_link_account on account_link (account_id);
create index account_link_mail on account_link (mail_id);

do $$
declare
  t text;
  at_site constant text := 'site_id = (select nullif(current_setting(''app.site'', true), '''')::int)';
  for_customer constant text := '(select nullif(current_setting(''app.customer'', true), '''')::int)';
  by_system constant text := '(select current_setting(''app.scope'', true) = ''system'')';
begin
  foreach t in array array['mail', 'account_link'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    -- who sends them works for all sites, and who follows a link is not signed in
    execute format('create policy site_rows on %I using (%s or %s)', t, at_site, by_system);
    execute format('create policy customer_rows on %I as restrictive using (%s is null or customer_id = %s)', t, for_customer, for_customer);
  end loop;
end $$;
grant select, insert, update, delete on mail, account_link to wheelhouse_app;
