-- Files of odometer readings.
alter table import_run drop constraint import_run_kind_check, add constraint import_run_kind_check
  check (kind in ('vehicles', 'tyres', 'articles', 'customers', 'locations', 'services', 'accounts', 'odometers'));
alter table import_row drop constraint import_row_record_check, add constraint import_row_record_check
  check (record in ('vehicle', 'tyre', 'article', 'customer', 'location', 'service', 'account', 'odometer'));
