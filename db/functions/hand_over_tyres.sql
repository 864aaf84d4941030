-- version 1, e39663f6811a
-- Leaves copies of tyres that go to another customer with the vehicle that the former one keeps, and all that happened to them until `on_day`. Answers the
-- copies, in the order of the tyres. The caller has locked them, ended their mount periods, and gives them to the other customer.
create or replace function hand_over_tyres(of_site int, tyres int[], kept int, on_day date, moment timestamptz)
returns int[] language plpgsql as $$
declare
  copies int[] := array(select nextval(pg_get_serial_sequence('public.tyre', 'id')) from unnest(tyres));
begin
  insert into tyre (site_id, id, customer_id, vehicle_id, article_id, position, description, memo, tyre_set, status, status_date,
    profile_depth, profile_date, profile_tacho, rims, bolts, hubcaps, invoiced_on, unknown_article, season, dot, retreaded, removed_at, copy_of)
  select t.site_id, c.copy, t.customer_id, kept, t.article_id, t.position, t.description, t.memo, t.tyre_set,
    case t.status when 'in_stock' then 'at_customer' else t.status end, case t.status when 'in_stock' then on_day else t.status_date end,
    t.profile_depth, t.profile_date, t.profile_tacho, t.rims, t.bolts, t.hubcaps, t.invoiced_on, t.unknown_article, t.season, t.dot, t.retreaded, moment, t.id
  from unnest(tyres, copies) c (tyre, copy) join tyre t on t.site_id = of_site and t.id = c.tyre;
  -- the ledger first, since it settles the stays
  update storage_ledger x set tyre_id = c.copy from unnest(tyres, copies) c (tyre, copy) where x.site_id = of_site and x.tyre_id = c.tyre;
  update invoice_mark x set tyre_id = c.copy from unnest(tyres, copies) c (tyre, copy) where x.site_id = of_site and x.tyre_id = c.tyre;
  update stay x set tyre_id = c.copy, until = coalesce(x.until, greatest(x.since, on_day))
  from unnest(tyres, copies) c (tyre, copy) where x.site_id = of_site and x.tyre_id = c.tyre;
  update operation_tyre x set tyre_id = c.copy from unnest(tyres, copies) c (tyre, copy) where x.site_id = of_site and x.tyre_id = c.tyre;
  update scan x set tyre_id = c.copy from unnest(tyres, copies) c (tyre, copy) where x.site_id = of_site and x.tyre_id = c.tyre;
  update tyre_event x set tyre_id = c.copy from unnest(tyres, copies) c (tyre, copy) where x.site_id = of_site and x.tyre_id = c.tyre;
  update document_line x set tyre_id = c.copy from unnest(tyres, copies) c (tyre, copy) where x.site_id = of_site and x.tyre_id = c.tyre;
  update mount x set tyre_id = c.copy from unnest(tyres, copies) c (tyre, copy) where x.site_id = of_site and x.tyre_id = c.tyre;
  return copies;
end $$;
