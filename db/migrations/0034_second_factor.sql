-- What somebody shows beside a password, or instead of one (docs/decisions/0034).

-- A passkey: the browser keeps the private key, and shows the public one here that it has it.
create table passkey (
  id int generated always as identity primary key,
  account_id int not null references account on delete cascade,
  site_id int references site,                -- none for a superuser
  customer_id int,
  credential bytea not null unique check (length(credential) between 16 and 1023),
  public_key bytea not null,
  counter bigint not null,                    -- of its uses, where the authenticator counts them
  transports text[] not null,
  name text not null check (length(name) between 1 and 100),
  created_at timestamptz not null,
  used_at timestamptz
);
create index passkey_account on passkey (account_id);

-- An authenticator app. Its seed is encrypted with SECRET_KEY, which is in no database and no backup.
create table totp (
  account_id int primary key references account on delete cascade,
  site_id int references site,
  customer_id int,
  seed bytea not null,
  last_step bigint not null,                  -- the half minute of the last code that was taken: none is taken twice
  created_at timestamptz not null,
  used_at timestamptz
);

-- Codes for somebody who has lost the rest, each for once. Those of an account are hashed with one salt.
create table recovery_code (
  account_id int not null references account on delete cascade,
  site_id int references site,
  customer_id int,
  salt bytea not null,
  hash bytea not null,
  primary key (account_id, hash)
);

-- What a passkey is to sign; used up by the answer to it.
create table passkey_challenge (
  hash bytea primary key,
  account_id int references account on delete cascade,   -- none: whoever has a passkey here
  site_id int references site,
  customer_id int,
  expires_at timestamptz not null
);
create index passkey_challenge_account on passkey_challenge (account_id);

alter table site add admins_need_factor boolean not null default false;

do $$
declare
  t text;
  at_site constant text := 'site_id = (select nullif(current_setting(''app.site'', true), '''')::int)';
  for_customer constant text := '(select nullif(current_setting(''app.customer'', true), '''')::int)';
  by_system constant text := '(select current_setting(''app.scope'', true) = ''system'')';
begin
  foreach t in array array['passkey', 'totp', 'recovery_code', 'passkey_challenge'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy site_rows on %I using (%s or %s)', t, at_site, by_system);
    execute format('create policy customer_rows on %I as restrictive using (%s is null or customer_id = %s)', t, for_customer, for_customer);
  end loop;
end $$;
grant select, insert, update, delete on passkey, totp, recovery_code, passkey_challenge to wheelhouse_app;

-- What is kept of an account is its customer's, or the site's, like the account itself.
create function follow_account() returns trigger language plpgsql as $$
begin
  update known_device set customer_id = new.customer_id where account_id = new.id;
  update sign_in_step set customer_id = new.customer_id where account_id = new.id;
  update passkey set customer_id = new.customer_id where account_id = new.id;
  update totp set customer_id = new.customer_id where account_id = new.id;
  update recovery_code set customer_id = new.customer_id where account_id = new.id;
  update passkey_challenge set customer_id = new.customer_id where account_id = new.id;
  return null;
end $$;
create trigger account_is_followed after update of customer_id on account for each row
  when (new.customer_id is distinct from old.customer_id) execute function follow_account();
