-- Imports of locations, services and accounts, which can be undone as the others can (docs/decisions/0046).
alter table import_run drop constraint import_run_kind_check,
  add constraint import_run_kind_check
    check (kind in ('vehicles', 'tyres', 'articles', 'customers', 'locations', 'services', 'accounts'));
alter table import_row drop constraint import_row_record_check,
  add constraint import_row_record_check
    check (record in ('vehicle', 'tyre', 'article', 'customer', 'location', 'service', 'account'));
