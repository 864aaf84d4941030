-- When the label of a tyre was last printed, so that a print of a whole day leaves out what has one already.
create table label_print (
  site_id int not null references site,
  tyre_id int not null,
  customer_id int not null,
  at timestamptz not null,
  account_id int references account,
  primary key (site_id, tyre_id),
  foreign key (site_id, customer_id, tyre_id) references tyre (site_id, customer_id, id) on update cascade on delete cascade
);
alter table label_print enable row level security;
alter table label_print force row level security;
create policy site_rows on label_print using (site_id = (select nullif(current_setting('app.site', true), '')::int));
create policy customer_rows on label_print as restrictive using (
  (select nullif(current_setting('app.customer', true), '')::int) is null
  or customer_id = (select nullif(current_setting('app.customer', true), '')::int));
grant select, insert, update on label_print to wheelhouse_app;
