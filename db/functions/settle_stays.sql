-- version 2, 41b2f70fbe80
-- Settles the stays of tyres again that ended or have prepaid days, when their ledger changes.
create or replace function settle_stays() returns trigger language plpgsql as $$
begin
  update stay s set until = s.until from (select distinct site_id, tyre_id from entered) e
  where s.site_id = e.site_id and s.tyre_id = e.tyre_id and (s.until is not null or s.prepaid);
  return null;
end $$;
