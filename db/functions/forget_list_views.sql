-- version 1, 09075bbe61c9
-- Deletes the saved lists of an account that goes to another customer or type: it sees other rows now.
create or replace function forget_list_views() returns trigger language plpgsql as $$
begin
  delete from view_mail where account_id = new.id;
  delete from list_view where account_id = new.id;
  return null;
end $$;
