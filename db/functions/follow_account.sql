-- version 1, 433bcf314678
-- Gives devices, factors and sign-on links of an account to its new customer, as row-level security finds them by customer.
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
