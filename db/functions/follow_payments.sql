-- version 1, 0b480c965147
-- version 1
-- Keeps what was paid and written off of each invoice, as the parts of payments are added.
create or replace function follow_payments() returns trigger language plpgsql as $$
begin
  update invoice_balance b set paid = b.paid + p.paid, written_off = b.written_off + p.written_off
  from (
    select a.site_id, a.invoice_id, coalesce(sum(a.amount) filter (where y.kind = 'payment'), 0) as paid,
      coalesce(sum(a.amount) filter (where y.kind = 'write_off'), 0) as written_off
    from added a join payment y on y.site_id = a.site_id and y.id = a.payment_id
    group by a.site_id, a.invoice_id) p
  where b.site_id = p.site_id and b.invoice_id = p.invoice_id;
  return null;
end $$;
