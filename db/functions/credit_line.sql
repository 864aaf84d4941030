-- version 1, bd85b66fe84a
-- Fills in which line a credit note's line credits when the writer names none: nodes of an earlier version credit whole invoices.
create or replace function credit_line() returns trigger language plpgsql as $$
begin
  select i.credits, case when i.credits is not null then new.line end into new.credits, new.credits_line
  from invoice i where i.site_id = new.site_id and i.id = new.invoice_id;
  return new;
end $$;
