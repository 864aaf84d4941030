-- version 1, 6c62929cd2d0
-- version 1
-- Begins the balance of each new invoice, and takes what a credit note credits from that of its invoice.
create or replace function begin_balances() returns trigger language plpgsql as $$
begin
  insert into invoice_balance (site_id, invoice_id, customer_id, issued_on, due_on, gross)
  select i.site_id, i.id, i.customer_id, i.issued_on, i.due_on, i.gross from added i where i.kind = 'invoice';
  update invoice_balance b set credited = b.credited + n.gross
  from (select site_id, credits, sum(gross) as gross from added where kind = 'credit_note' group by site_id, credits) n
  where b.site_id = n.site_id and b.invoice_id = n.credits;
  return null;
end $$;
