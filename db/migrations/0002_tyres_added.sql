-- A tyre's life on the books begins before it is ever stored.
alter table tyre_event drop constraint tyre_event_kind_check;
alter table tyre_event add constraint tyre_event_kind_check check (kind in ('added', 'received', 'moved', 'measured', 'scanned',
  'mounted', 'invoiced', 'scrapped', 'delivered', 'spared', 'changed', 'removed'));
