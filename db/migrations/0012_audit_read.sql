-- The audit is read, newest first: of a site, of a customer, and of what belongs to no customer.
drop index audit_site_id_at_idx;
create index audit_of_site on audit (site_id, at, id);
create index audit_of_customer on audit (site_id, customer_id, at, id) where customer_id is not null;
create index audit_of_sites on audit (at, id) where customer_id is null;

-- An account is named by its number: what it was called is a person's, and has to be erasable (docs/decisions/0021).
alter table account add column erased_at timestamptz;
alter table audit no force row level security;
alter table account no force row level security;
update audit a set subject = 'account ' || coalesce(a.facts ->> 'account', (
    select min(k.id)::text from account k where lower(k.username) = lower(a.subject) and k.site_id is not distinct from a.site_id), '')
  where a.action like 'account.%' and a.subject !~ '^account [0-9]+$';
alter table audit force row level security;
alter table account force row level security;
