-- Single sign-on (docs/decisions/0038): the OpenID Connect provider of a site, who of it has which account, and sign-ins under way.

create table sign_on (
  site_id int primary key references site,
  name text not null check (length(name) between 1 and 60),
  issuer text not null,                       -- as the provider writes it
  client_id text not null,
  client_secret bytea,                        -- encrypted with SECRET_KEY; none for a client without a secret
  claim text not null,                        -- whose value is the name of the account
  makes_for int,                              -- the customer whose accounts are made on demand; none: no account is made
  foreign key (site_id, makes_for) references customer (site_id, id)
);
create index sign_on_makes_for on sign_on (site_id, makes_for);

-- Whose account it is at the provider, by what never changes there. The claim finds an account once.
create table sign_on_identity (
  site_id int not null references site,
  issuer text not null,
  subject text not null,
  account_id int not null references account on delete cascade,
  customer_id int,
  created_at timestamptz not null,
  used_at timestamptz not null,
  primary key (site_id, issuer, subject),
  unique (account_id, issuer)
);

-- A sign-in that has gone to the provider. Its answer uses it up.
create table sign_on_attempt (
  state bytea primary key,                    -- the hash
  site_id int not null references site,
  device bytea not null,                      -- the hash of the token of the browser that began it
  issuer text not null,
  client_id text not null,
  nonce text not null,
  verifier text not null,                     -- of PKCE
  max_age int,                                -- in seconds, where a fresh sign-in was asked for
  expires_at timestamptz not null
);
create index sign_on_attempt_expires on sign_on_attempt (expires_at);

-- What the provider needs to end its own session, encrypted; only of a sign-in by it.
alter table session add sign_on bytea;
alter table sign_in_step add sign_on bytea;

do $$
declare
  t text;
  at_site constant text := 'site_id = (select nullif(current_setting(''app.site'', true), '''')::int)';
  for_customer constant text := '(select nullif(current_setting(''app.customer'', true), '''')::int)';
  by_system constant text := '(select current_setting(''app.scope'', true) = ''system'')';
begin
  foreach t in array array['sign_on', 'sign_on_identity', 'sign_on_attempt'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy site_rows on %I using (%s or %s)', t, at_site, by_system);
  end loop;
  execute format('create policy customer_rows on sign_on_identity as restrictive using (%s is null or customer_id = %s)', for_customer, for_customer);
end $$;
grant select, insert, update, delete on sign_on, sign_on_identity, sign_on_attempt to wheelhouse_app;

create or replace function follow_account() returns trigger language plpgsql as $$
begin
  update known_device set customer_id = new.customer_id where account_id = new.id;
  update sign_in_step set customer_id = new.customer_id where account_id = new.id;
  update passkey set customer_id = new.customer_id where account_id = new.id;
  update totp set customer_id = new.customer_id where account_id = new.id;
  update recovery_code set customer_id = new.customer_id where account_id = new.id;
  update passkey_challenge set customer_id = new.customer_id where account_id = new.id;
  update sign_on_identity set customer_id = new.customer_id where account_id = new.id;
  return null;
end $$;
