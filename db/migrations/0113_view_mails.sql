-- Which views are sent to whom every week. A message is written when it is due, and its rows are looked up when it is sent.
create table view_mail (
  site_id int not null references site,
  view_id int not null,
  account_id int not null references account on delete cascade,
  customer_id int not null,                   -- that of the account
  weekday smallint not null check (weekday between 0 and 6), -- Sunday is 0
  due_at timestamptz not null,
  key uuid not null unique default gen_random_uuid(), -- in the link that ends these messages without a sign-in; it can do nothing else
  primary key (site_id, view_id, account_id),
  foreign key (site_id, view_id) references list_view on delete cascade
);
create index view_mail_due on view_mail (due_at);
create index view_mail_account on view_mail (account_id);

alter table view_mail enable row level security;
alter table view_mail force row level security;
create policy site_rows on view_mail using (
  site_id = (select nullif(current_setting('app.site', true), '')::int)
  or (select current_setting('app.scope', true) = 'system'));
create policy customer_rows on view_mail as restrictive using (
  (select coalesce(current_setting('app.customer', true), '') = '')
  or customer_id = (select nullif(current_setting('app.customer', true), '')::int));
grant select, insert, update, delete on view_mail to wheelhouse_app;

create or replace function forget_list_views() returns trigger language plpgsql as $$
begin
  delete from view_mail where account_id = new.id;
  delete from list_view where account_id = new.id;
  return null;
end $$;
