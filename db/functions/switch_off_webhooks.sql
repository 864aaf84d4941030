-- version 1, 5f84b1b00493
-- Disables the webhooks of an account that leaves its company or is disabled, until a colleague enables them.
create or replace function switch_off_webhooks() returns trigger language plpgsql as $$
begin
  update webhook_endpoint set enabled = false where account_id = new.id and enabled;
  return null;
end $$;
