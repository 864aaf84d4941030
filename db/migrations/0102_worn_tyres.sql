-- What a customer decided on worn tyres that an operation brings back or takes in: to keep them, or to be sent a quote for new ones.
alter table operation add column worn_tyres text constraint operation_worn_tyres check (worn_tyres in ('keep', 'quote'));
