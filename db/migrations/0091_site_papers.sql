-- What a site prints on its papers beside their content (docs/decisions/0063): texts by language (nl, fr, en, de), and columns of wheels.
create table site_paper (
  site_id int primary key references site,
  header jsonb not null,
  footer jsonb not null,
  terms jsonb not null,
  columns text[] not null,
  version int not null default 1
);
alter table site_paper enable row level security;
alter table site_paper force row level security;
create policy site_rows on site_paper using (
  site_id = (select nullif(current_setting('app.site', true), '')::int)
  or (select current_setting('app.scope', true) = 'system'));
grant select, insert, update on site_paper to wheelhouse_app;

-- When the document of a customer was sent to the customer's accounts. Messages themselves are forgotten after a while.
alter table billing_run_customer add column mailed_at timestamptz;
