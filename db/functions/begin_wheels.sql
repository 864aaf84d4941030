-- version 1, 4518284a9cd8
-- Adds the wheel of each new tyre, in the state that the tyre's status and place imply.
create or replace function begin_wheels() returns trigger language plpgsql as $$
begin
  insert into wheel (site_id, tyre_id, customer_id, status, state, location_id, began)
  select site_id, id, customer_id, status, state, case state when 'at_place' then location_id end, state
  from (select *, case when status = 'waste' then 'scrapped' when status <> 'in_stock' then 'with_customer'
    when location_id is null then 'received' else 'at_place' end as state from put) told;
  return null;
end $$;
