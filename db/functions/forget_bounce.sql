-- version 1, 56ecbeff170f
-- Clears what is known of an address, such as a bounced message, when the address changes.
create or replace function forget_bounce() returns trigger language plpgsql as $$
begin
  new.bounced_at := null;
  new.bounce := '';
  return new;
end $$;
