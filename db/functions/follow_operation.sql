-- version 1, ea16f2831d6c
-- Moves the wheels of an operation when it is submitted, withdrawn or cancelled.
create or replace function follow_operation() returns trigger language plpgsql as $$
declare
  tyre int;
begin
  for tyre in select tyre_id from operation_tyre where site_id = new.site_id and operation_id = new.id order by tyre_id loop
    if new.status = 'submitted' and new.type = 'to_stock' then
      perform take_step(new.site_id, tyre, 'submit', '{with_customer}', 'expected', null);
    elsif new.status = 'pending' then
      perform take_step(new.site_id, tyre, 'undo', '{expected}', 'with_customer', null);
    elsif new.status = 'cancelled' and new.type = 'to_stock' then
      perform take_step(new.site_id, tyre, 'cancel', '{expected}', 'with_customer', null);
      perform take_step(new.site_id, tyre, 'cancel', '{at_place}', 'received', null);
    elsif new.status = 'cancelled' then
      perform take_step(new.site_id, tyre, 'cancel', '{picked,staged,loaded}', 'received', null);
    end if;
  end loop;
  return null;
end $$;
