-- What decides the price of a stay is kept with it from its first day: set, size class and whether the wheel is stored with its rim. The
-- tyre forgets its rim when it leaves, and its set and article can change.
alter table stay
  add column tyre_set text,
  add column size_class text check (size_class in ('small', 'medium', 'large', 'truck'));

-- Row-level security binds an owner that is no superuser, too.
do $$
declare
  t text;
begin
  foreach t in array array['stay', 'site', 'tyre', 'article', 'operation', 'operation_tyre', 'handed_wheel'] loop
    execute format('alter table %I no force row level security', t);
  end loop;
end $$;

-- Facts do not change which days are owed.
alter table stay disable trigger stay_ends;

-- What is in store is as its record says.
update stay s set with_rim = t.rims is not null, tyre_set = t.tyre_set
from tyre t where t.site_id = s.site_id and t.id = s.tyre_id and s.until is null;

-- Of what has left, the storage that began the stay and the operation that ended it say how it came and went.
with handed as materialized (
  select o.site_id, held.tyre_id, o.type = 'to_stock' as came, (o.handled_at at time zone site.time_zone)::date as day,
    case when o.type = 'to_stock' then o.with_rims else wheel.rims end is not null as with_rim, wheel.tyre_set, wheel.wheel is not null as kept
  from operation o join site on site.id = o.site_id
    join operation_tyre held on held.site_id = o.site_id and held.operation_id = o.id and held.missing_at is null
    join tyre t on t.site_id = held.site_id and t.id = held.tyre_id
    left join handed_wheel wheel on wheel.site_id = o.site_id and wheel.operation_id = o.id and wheel.wheel = coalesce(t.copy_of, t.id)
  where o.status = 'confirmed' and o.type in ('to_stock', 'to_customer', 'to_waste')
), proven as (
  select s.site_id, s.id, bool_or(h.with_rim) as with_rim, bool_or(h.kept) as kept,
    (array_agg(h.tyre_set order by h.came desc) filter (where h.kept))[1] as tyre_set
  from stay s join handed h on h.site_id = s.site_id and h.tyre_id = s.tyre_id and h.day = case when h.came then s.since else s.until end
  where s.until is not null group by s.site_id, s.id
)
update stay s set with_rim = coalesce(s.with_rim, false) or p.with_rim, tyre_set = case when p.kept then p.tyre_set else t.tyre_set end
from proven p, tyre t where s.site_id = p.site_id and s.id = p.id and t.site_id = s.site_id and t.id = s.tyre_id;

-- A vehicle that went to another customer ended stays without an operation. The one that began with it has the same wheel.
update stay s set with_rim = coalesce(s.with_rim, false) or next.with_rim
from tyre copy, stay next
where s.until is not null and copy.site_id = s.site_id and copy.id = s.tyre_id and copy.copy_of is not null
  and next.site_id = s.site_id and next.tyre_id = copy.copy_of and next.since = s.until and next.with_rim;

update stay s set with_rim = coalesce(s.with_rim, t.rims is not null), tyre_set = coalesce(s.tyre_set, t.tyre_set), size_class = size_class(a.rim)
from tyre t join article a on a.site_id = t.site_id and a.id = t.article_id
where t.site_id = s.site_id and t.id = s.tyre_id;

alter table stay enable trigger stay_ends;
do $$
declare
  t text;
begin
  foreach t in array array['stay', 'site', 'tyre', 'article', 'operation', 'operation_tyre', 'handed_wheel'] loop
    execute format('alter table %I force row level security', t);
  end loop;
end $$;
alter table stay alter column with_rim set not null;

-- However a stay begins, it has the facts of its tyre.
create function keep_facts() returns trigger language plpgsql as $$
begin
  select t.rims is not null, t.tyre_set, size_class(a.rim) into new.with_rim, new.tyre_set, new.size_class
  from tyre t join article a on a.site_id = t.site_id and a.id = t.article_id
  where t.site_id = new.site_id and t.id = new.tyre_id;
  return new;
end $$;
create trigger stay_begins before insert on stay for each row when (new.with_rim is null) execute function keep_facts();

create or replace function keep_stay() returns trigger language plpgsql as $$
begin
  if new.status = 'in_stock' and new.removed_at is null then
    update stay set since = new.status_date where site_id = new.site_id and tyre_id = new.id and until is null;
    if not found then
      insert into stay (site_id, tyre_id, customer_id, vehicle_id, since)
      values (new.site_id, new.id, new.customer_id, new.vehicle_id, new.status_date);
    end if;
  else
    update stay set until = greatest(since, case when new.status = 'in_stock' then new.removed_at::date else new.status_date end)
    where site_id = new.site_id and tyre_id = new.id and until is null;
  end if;
  return null;
end $$;

-- A file brings 50,000 tyres: their facts are looked up together.
create or replace function begin_stays() returns trigger language plpgsql as $$
begin
  insert into stay (site_id, tyre_id, customer_id, vehicle_id, since, with_rim, tyre_set, size_class)
  select put.site_id, put.id, put.customer_id, put.vehicle_id, put.status_date, put.rims is not null, put.tyre_set, size_class(a.rim)
  from put join article a on a.site_id = put.site_id and a.id = put.article_id
  where put.status = 'in_stock' and put.removed_at is null;
  return null;
end $$;

-- What was not known when the wheel came is added when it becomes known while the wheel is there. What was known stays.
create function add_facts() returns trigger language plpgsql as $$
begin
  update stay s set with_rim = s.with_rim or new.rims is not null, tyre_set = coalesce(s.tyre_set, new.tyre_set),
    size_class = coalesce(s.size_class, (select size_class(a.rim) from article a where a.site_id = new.site_id and a.id = new.article_id))
  where s.site_id = new.site_id and s.tyre_id = new.id and s.until is null;
  return null;
end $$;
create trigger stay_is_known after update of rims, tyre_set, article_id on tyre for each row
  when (new.status = 'in_stock' and (old.rims is null and new.rims is not null or old.tyre_set is null and new.tyre_set is not null
    or old.article_id <> new.article_id))
  execute function add_facts();

create function add_sizes() returns trigger language plpgsql as $$
begin
  update stay s set size_class = size_class(new.rim) from tyre t
  where t.site_id = new.site_id and t.article_id = new.id and t.status = 'in_stock' and t.removed_at is null
    and s.site_id = t.site_id and s.tyre_id = t.id and s.until is null and s.size_class is null;
  return null;
end $$;
create trigger size_is_known after update of rim on article for each row when (old.rim is null and new.rim is not null)
  execute function add_sizes();
