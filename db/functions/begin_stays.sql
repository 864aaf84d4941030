-- version 1, 025f93be114d
-- Begins a stay for each tyre that is added in stock. One statement for all rows: an import adds 50,000 tyres at once.
create or replace function begin_stays() returns trigger language plpgsql as $$
begin
  insert into stay (site_id, tyre_id, customer_id, vehicle_id, since, with_rim, tyre_set, size_class)
  select put.site_id, put.id, put.customer_id, put.vehicle_id, put.status_date, put.rims is not null, put.tyre_set, size_class(a.rim)
  from put join article a on a.site_id = put.site_id and a.id = put.article_id
  where put.status = 'in_stock' and put.removed_at is null;
  return null;
end $$;
