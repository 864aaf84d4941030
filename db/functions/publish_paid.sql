-- version 1, bdf4c3c777c1
-- version 1
-- Publishes invoices that payments settle, or that are open again because one was undone, to webhooks.
create or replace function publish_paid() returns trigger language plpgsql as $$
declare
  happened webhook_happening[];
begin
  if not any_webhook() then return null; end if;
  select array_agg(row(n.site_id, n.customer_id, case when n.open > 0 then 'invoice.reopened' else 'invoice.paid' end, 'invoice ' || i.id,
    jsonb_build_object('invoice', i.id, 'series', i.series, 'year', i.year, 'number', i.number, 'customer', n.customer_id, 'gross', n.gross,
      'credited', n.credited, 'paid', n.paid, 'open', n.open))::webhook_happening order by i.id)
  into happened
  from changed n join former o on o.site_id = n.site_id and o.invoice_id = n.invoice_id
    join invoice i on i.site_id = n.site_id and i.id = n.invoice_id
  where o.open > 0 and n.open <= 0 and n.paid > o.paid or o.open <= 0 and n.open > 0 and n.paid < o.paid;
  if happened is not null then perform publish_happenings(happened); end if;
  return null;
end $$;
