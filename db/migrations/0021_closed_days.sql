-- The days on which a site is closed: nothing is delivered on them (docs/product.md "Closed days"). `holiday` is a public holiday
-- by its key in src/domain/operations/closedDays.ts, whose name the reader's language knows; `name` is the site's own and may be empty.

create table closed_day (
  site_id int not null references site,
  day date not null,
  holiday text check (holiday <> ''),
  name text not null default '',
  primary key (site_id, day)
);
alter table closed_day enable row level security;
alter table closed_day force row level security;
create policy site_rows on closed_day using (site_id = (select nullif(current_setting('app.site', true), '')::int));
grant select, insert, update, delete on closed_day to wheelhouse_app;
