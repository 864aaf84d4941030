-- version 1, fabb055e58d0
-- Notes that a record was deleted or went to another customer, for programs that keep a copy.
create or replace function note_gone() returns trigger language plpgsql as $$
begin
  insert into record_gone (site_id, customer_id, record, record_id, moved)
  values (old.site_id, old.customer_id, tg_table_name, old.id, tg_op = 'UPDATE');
  return null;
end $$;
