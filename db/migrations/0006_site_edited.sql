-- Two who edit a site's configuration at once: the second is told instead of overwriting the first.
alter table site add column version int not null default 0;
-- What storage costs for one tyre or set and one day or period (invoicing_quantity, invoicing_mode), in EUR without tax.
alter table site add column invoicing_price_excl numeric(10, 2) not null default 0 check (invoicing_price_excl >= 0);
