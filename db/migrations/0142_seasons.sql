-- A season is charged once for what its rule has the price of, and only where its rule says that it is owed. What is stored in it for
-- nothing is in the ledger, too.
alter table tariff_rule add column grace_days int not null default 0 check (grace_days between 0 and 366);

-- Storage by the season can have its price per vehicle.
do $$
declare
  c record;
begin
  for c in select conname from pg_constraint where conrelid = 'tariff_rule'::regclass and contype = 'c'
    and pg_get_constraintdef(oid) like '%''document''%' loop
    execute format('alter table tariff_rule drop constraint %I', c.conname);
  end loop;
end $$;
alter table tariff_rule
  add constraint tariff_rule_per_check check (per in ('set', 'tyre', 'wheel', 'vehicle', 'operation', 'document')),
  add constraint tariff_rule_unit_check check (case kind when 'storage' then per in ('set', 'tyre', 'wheel')
    or per = 'vehicle' and mode = 'per_season' when 'service' then per in ('tyre', 'operation')
    when 'no_show' then per = 'operation' when 'minimum' then per = 'document' else per = 'tyre' end),
  add constraint tariff_rule_grace_check check (grace_days = 0 or mode is not distinct from 'per_season');

-- Days that are `included` cost nothing of their own: they are in a season that the document charges, or without a document in its days
-- of grace.
alter table storage_ledger
  add column season_rule_id int,               -- the season that charges or includes these days
  add constraint storage_ledger_season foreign key (site_id, season_rule_id) references tariff_rule,
  drop constraint storage_ledger_state_check,
  add constraint storage_ledger_state_check check (state in ('charged', 'waived', 'included')),
  drop constraint waived_with_reason,
  add constraint waived_with_reason check (state <> 'waived' or document_id is null and reason <> ''),
  add constraint included_by_season check (state <> 'included' or season_rule_id is not null);
create index storage_ledger_season on storage_ledger (site_id, tyre_id, season_rule_id)
  where season_rule_id is not null and state = 'charged' and released_at is null;

-- The seasons that documents have charged until now: what such a document charges within the days of the rule of one of its lines.
alter table storage_ledger no force row level security;
alter table document_line no force row level security;
alter table tariff_rule no force row level security;
alter table storage_ledger disable trigger ledger_is_released;
update storage_ledger l set season_rule_id = r.id
from document_line line join tariff_rule r on r.site_id = line.site_id and r.id = line.rule_id and r.mode = 'per_season'
where line.site_id = l.site_id and line.document_id = l.document_id and l.since < r.until and l.until >= r.since;
alter table storage_ledger enable trigger ledger_is_released;
alter table storage_ledger force row level security;
alter table document_line force row level security;
alter table tariff_rule force row level security;

-- Nothing was paid for days that are included.
create or replace function settle_stay() returns trigger language plpgsql as $$
begin
  new.settled := owed_days(new.site_id, new.tyre_id, new.since, new.until) = '{}';
  new.prepaid := exists (
    select from storage_ledger l where l.site_id = new.site_id and l.tyre_id = new.tyre_id and l.released_at is null
      and l.document_id is not null and l.state = 'charged' and l.until > new.until
      and datemultirange(daterange(greatest(l.since, new.until), l.until)) - coalesce((
        select range_agg(daterange(s.since, s.until)) from stay s
        where s.site_id = new.site_id and s.tyre_id = new.tyre_id and s.id <> new.id and s.since >= new.until), '{}') <> '{}');
  return new;
end $$;
