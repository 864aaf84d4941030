-- version 1, 843e787d975e
-- Counts the operations and tyres of each transport and day, and refuses a submission for a day that was full before it. The detail
-- of the error tells a storage from a recall: each has its own failure.
create or replace function count_transport_day() returns trigger language plpgsql as $$
declare
  day_full boolean;
  leaves constant boolean := tg_op <> 'INSERT' and old.status = 'submitted' and old.type in ('to_customer', 'to_stock')
    and old.transport_id is not null and old.delivery_date is not null;
  comes constant boolean := tg_op <> 'DELETE' and new.status = 'submitted' and new.type in ('to_customer', 'to_stock')
    and new.transport_id is not null and new.delivery_date is not null;
begin
  if leaves and old.type = 'to_customer' then
    update transport_day set operations = operations - 1, tyres = tyres - old.tyre_count
      where site_id = old.site_id and transport_id = old.transport_id and day = old.delivery_date;
  elsif leaves then
    update transport_day set arrivals = arrivals - 1, arriving_tyres = arriving_tyres - old.tyre_count
      where site_id = old.site_id and transport_id = old.transport_id and day = old.delivery_date;
  end if;
  if not comes then return null; end if;

  if new.type = 'to_customer' then
    insert into transport_day as d (site_id, transport_id, day, operations, tyres)
      values (new.site_id, new.transport_id, new.delivery_date, 1, new.tyre_count)
      on conflict (site_id, transport_id, day)
      do update set operations = d.operations + 1, tyres = d.tyres + excluded.tyres;
  else
    insert into transport_day as d (site_id, transport_id, day, arrivals, arriving_tyres)
      values (new.site_id, new.transport_id, new.delivery_date, 1, new.tyre_count)
      on conflict (site_id, transport_id, day)
      do update set arrivals = d.arrivals + 1, arriving_tyres = d.arriving_tyres + excluded.arriving_tyres;
  end if;
  -- full before this one came: as many of its kind as the day takes, or as many tyres
  select (m.operations_per_day > 0 and taken.operations > m.operations_per_day)
      or (m.tyres_per_day > 0 and taken.tyres - new.tyre_count >= m.tyres_per_day)
    into day_full
    from transport_day d join transport_method m on (m.site_id, m.id) = (d.site_id, d.transport_id),
      lateral (select case when new.type = 'to_customer' then d.operations else d.arrivals end as operations,
        case when new.type = 'to_customer' then d.tyres else d.arriving_tyres end as tyres) taken
    where d.site_id = new.site_id and d.transport_id = new.transport_id and d.day = new.delivery_date;
  if day_full and (tg_op = 'INSERT' or old.status <> 'submitted') then
    -- nodes of the version before know the code alone
    raise exception 'no place left on this day' using errcode = 'WH001', detail = case new.type when 'to_stock' then 'arrival' else '' end;
  end if;
  return null;
end $$;
