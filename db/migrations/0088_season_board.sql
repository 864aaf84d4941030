-- What moved by day, for the season board and its forecast, and what has lain in the store for long (docs/decisions/0062).
create index operation_moved on operation (site_id, handled_at) include (customer_id, type, tyre_count) where status = 'confirmed';
create index tyre_long_stored on tyre (site_id, status_date) include (customer_id, vehicle_id, tyre_set)
  where status = 'in_stock' and removed_at is null;
