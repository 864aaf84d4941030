-- An administrator may be restricted to the warehouse: no invoicing, configuration, customers, removal.
alter table account add warehouse_only boolean not null default false check (not warehouse_only or type = 'admin');
