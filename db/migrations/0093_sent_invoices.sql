-- Invoices on their way to the operator's access point (docs/decisions/0065).
alter table billing_details add sends boolean not null default false; -- whether e-invoices are handed to it

create table invoice_sending (
  site_id int not null references site,
  invoice_id int not null,
  customer_id int not null,
  after_invoice int,                              -- the invoice that a credit note credits, which goes first
  key uuid not null default gen_random_uuid(),    -- by which the access point knows a repetition
  due_at timestamptz not null,
  leased_until timestamptz,
  tries int not null default 0,
  tried_at timestamptz,
  sent_at timestamptz,
  refused_at timestamptz,
  problem text not null default '' check (length(problem) <= 20), -- what the last try failed at
  status int,                                     -- what the access point answered to it
  answer text not null default '' check (length(answer) <= 500),
  primary key (site_id, invoice_id),
  foreign key (site_id, customer_id, invoice_id) references invoice (site_id, customer_id, id) on delete cascade,
  check (sent_at is null or refused_at is null)
);
create index invoice_sending_due on invoice_sending (due_at, invoice_id) where sent_at is null and refused_at is null;
create index invoice_sending_after on invoice_sending (site_id, after_invoice) where after_invoice is not null;

alter table invoice_sending enable row level security;
alter table invoice_sending force row level security;
create policy site_rows on invoice_sending using (
  site_id = (select nullif(current_setting('app.site', true), '')::int)
  or (select current_setting('app.scope', true) = 'system'));
create policy administrators on invoice_sending as restrictive using (
  (select coalesce(current_setting('app.customer', true), '') = ''));
grant select, insert, update on invoice_sending to wheelhouse_app;
