-- version 1, c7bda8e88b5b
-- Revokes the access tokens of an account for good when its password, type or customer changes or it is disabled.
create or replace function revoke_tokens() returns trigger language plpgsql as $$
begin
  update api_token set revoked_at = now() where account_id = new.id and revoked_at is null;
  return null;
end $$;
