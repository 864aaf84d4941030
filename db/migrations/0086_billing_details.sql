-- What invoices say of the site and of its customers (docs/decisions/0061), with the account that payments go to.
create table billing_details (
  site_id int primary key references site,
  invoices boolean not null default false,     -- whether the site makes invoices of its documents
  legal_name text not null default '' check (length(legal_name) <= 100),
  street text not null default '' check (length(street) <= 100),
  zipcode text not null default '' check (length(zipcode) <= 20),
  city text not null default '' check (length(city) <= 100),
  country text check (country ~ '^[A-Z]{2}$'),
  email text not null default '' check (length(email) <= 100),
  vat_number text not null default '' check (length(vat_number) <= 20),
  company_scheme text check (company_scheme ~ '^[0-9]{4}$'), -- of ISO 6523, as Peppol uses it
  company_number text not null default '' check (length(company_number) <= 50),
  peppol_scheme text check (peppol_scheme ~ '^[0-9]{4}$'),
  peppol_id text not null default '' check (length(peppol_id) <= 50),
  iban text not null default '' check (length(iban) <= 34),
  bic text not null default '' check (length(bic) <= 11),
  payment_days int not null default 30 check (payment_days between 0 and 365),
  invoice_series text not null default 'F' check (invoice_series ~ '^[A-Z0-9]{1,8}$'),
  credit_series text not null default 'CN' check (credit_series ~ '^[A-Z0-9]{1,8}$'),
  vat_rate numeric(5, 2) not null default 21 check (vat_rate between 0 and 100), -- of lines that have none of their own
  exemption text not null default '' check (length(exemption) <= 200), -- why the site charges no VAT; '' when it does
  note text not null default '' check (length(note) <= 500) -- at the foot of an invoice
);

create table customer_billing (
  site_id int not null references site,
  customer_id int not null,
  legal_name text not null default '' check (length(legal_name) <= 100),
  country text check (country ~ '^[A-Z]{2}$'),
  vat_number text not null default '' check (length(vat_number) <= 20),
  company_scheme text check (company_scheme ~ '^[0-9]{4}$'),
  company_number text not null default '' check (length(company_number) <= 50),
  peppol_scheme text check (peppol_scheme ~ '^[0-9]{4}$'),
  peppol_id text not null default '' check (length(peppol_id) <= 50),
  buyer_reference text not null default '' check (length(buyer_reference) <= 100),
  exemption text not null default '' check (length(exemption) <= 200), -- why it is charged no VAT; '' when it is
  primary key (site_id, customer_id),
  foreign key (site_id, customer_id) references customer on delete cascade
);

do $$
declare
  t text;
  at_site constant text := 'site_id = (select nullif(current_setting(''app.site'', true), '''')::int)';
  for_customer constant text := '(select nullif(current_setting(''app.customer'', true), '''')::int)';
begin
  foreach t in array array['billing_details', 'customer_billing'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy site_rows on %I using (%s)', t, at_site);
  end loop;
  execute format('create policy customer_rows on customer_billing as restrictive using (%s is null or customer_id = %s)', for_customer, for_customer);
end $$;
grant select, insert, update on billing_details, customer_billing to wheelhouse_app;
