-- What a customer had in store on a day: the stays of one customer, without reading those of all others.
create index stay_customer on stay (site_id, customer_id, since);
