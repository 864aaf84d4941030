-- A tyre that was not there when its operation was confirmed (docs/product.md "Missing tyres"). It keeps its state; that it is missing
-- is open until it is handled after all, or somebody closes it with a reason.
alter table operation_tyre
  add column missing_at timestamptz,
  add column missing_by int references account,
  add column closed_at timestamptz,
  add column closed_by int references account,
  add column closed_reason text check (length(closed_reason) <= 500),
  add constraint missing_is_handled check (missing_at is null or not open),
  add constraint closed_was_missing check (closed_at is null or missing_at is not null);
create index operation_tyre_missing on operation_tyre (site_id, tyre_id) where missing_at is not null and closed_at is null;

alter table tyre_event drop constraint tyre_event_kind_check;
alter table tyre_event add constraint tyre_event_kind_check check (kind in ('added', 'received', 'moved', 'measured', 'scanned',
  'mounted', 'invoiced', 'scrapped', 'delivered', 'spared', 'changed', 'removed', 'transferred', 'missing'));
