-- version 1, 1de9bfc3bc94
-- Settles the ended stays of tyres again when their ledger changes.
create or replace function settle_stays() returns trigger language plpgsql as $$
begin
  update stay s set until = s.until from (select distinct site_id, tyre_id from entered) e
  where s.site_id = e.site_id and s.tyre_id = e.tyre_id and s.until is not null;
  return null;
end $$;
