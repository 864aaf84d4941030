-- version 1, d63e95194483
-- Keeps the day that was promised when an operation was submitted.
create or replace function promise_delivery() returns trigger language plpgsql as $$
begin
  new.promised_date := new.delivery_date;
  return new;
end $$;
