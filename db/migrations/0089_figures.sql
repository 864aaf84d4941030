-- What the owner's figures read (docs/product.md "Figures"): stays that ended, documents and charges by their day.
create index stay_until on stay (site_id, until) include (tyre_id, since) where until is not null;
create index document_dated on document (site_id, document_date) include (customer_id, reason, amount_excl) where withdrawn_at is null;
create index charge_happened on charge (site_id, happened_on);
