-- Signing in (docs/decisions/0033): devices that are known, the steps between a password and a session, and what an account shows
-- of its sessions.

-- A browser in which somebody signed in to an account: its cookie has the token, its hash is here.
create table known_device (
  hash bytea not null,
  account_id int not null references account on delete cascade,
  site_id int references site,                -- none for a superuser
  customer_id int,
  seen_at timestamptz not null,
  primary key (hash, account_id)
);
create index known_device_account on known_device (account_id, seen_at);

-- A sign-in whose password was right and that waits for what `awaits` says. It is used up by its next step.
create table sign_in_step (
  hash bytea primary key,                     -- of the token
  account_id int not null references account on delete cascade,
  site_id int references site,
  customer_id int,
  awaits text not null check (awaits <> ''),
  password text not null,                     -- the hash that was matched: another password ends the sign-in
  passed boolean not null,                    -- a second factor was shown
  expires_at timestamptz not null
);
create index sign_in_step_account on sign_in_step (account_id);

alter table account add must_change_password boolean not null default false;

alter table session
  add id bigint generated always as identity,
  add device text not null default '' check (length(device) <= 300),
  add address text not null default '',
  add confirmed_at timestamptz,               -- when its owner last showed a password or a factor; none: when it began
  add ends_at timestamptz;                    -- at the latest; none: as for everybody
create unique index session_id on session (id);

-- Counted by site, account and address; those of a known device by the device.
alter table sign_in_failure add site_id int references site, add device bytea;
create index sign_in_failure_subject on sign_in_failure (subject, at);

alter table site add admin_session_hours int not null default 12 check (admin_session_hours between 1 and 336);

do $$
declare
  t text;
  at_site constant text := 'site_id = (select nullif(current_setting(''app.site'', true), '''')::int)';
  for_customer constant text := '(select nullif(current_setting(''app.customer'', true), '''')::int)';
  by_system constant text := '(select current_setting(''app.scope'', true) = ''system'')';
begin
  foreach t in array array['known_device', 'sign_in_step', 'sign_in_failure'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    -- whoever signs in is not signed in yet
    execute format('create policy site_rows on %I using (%s or %s)', t, at_site, by_system);
  end loop;
  foreach t in array array['known_device', 'sign_in_step'] loop
    execute format('create policy customer_rows on %I as restrictive using (%s is null or customer_id = %s)', t, for_customer, for_customer);
  end loop;
end $$;
grant select, insert, update, delete on known_device, sign_in_step to wheelhouse_app;
