-- version 1, 638557798686
-- The account that the transaction works for; null for the portal itself.
create or replace function acting_account() returns int language sql stable as
  $$ select nullif(current_setting('app.account', true), '')::int $$;
