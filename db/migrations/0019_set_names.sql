-- A set is the same in capitals and with blanks around its name: "summer" and "Summer" together have one tyre on a position. Of each
-- set one spelling is kept, so that what groups tyres by the name of their set finds all of them.

alter table tyre no force row level security; -- binds its owner, too, unless that is a superuser
alter table tyre_event no force row level security;
alter table tyre_words no force row level security;
alter table audit no force row level security;
drop index tyre_set_position;

-- The oldest spelling of a set stays. Another one joins it, or becomes "Summer (2)" where both have a tyre on one position. Each
-- change is in the history of its tyres and in the audit, with the name before.
do $$
declare
  s record;
  set_before text := '';  -- what the sets have in common that are compared
  kept text;             -- the name of the set that others are compared with
  held text[];           -- the positions that it has
  called text;
begin
  for s in
    select site_id, customer_id, vehicle_id, tyre_set as before, nullif(btrim(tyre_set), '') as name,
      concat_ws(' ', site_id, vehicle_id, lower(btrim(tyre_set))) as same, array_agg(id order by id) as tyres,
      coalesce(array_agg(position) filter (where status <> 'waste'), '{}') as positions
    from tyre where tyre_set is not null and removed_at is null
    group by site_id, customer_id, vehicle_id, tyre_set
    order by site_id, vehicle_id, lower(btrim(tyre_set)), min(id)
  loop
    if s.same is distinct from set_before then
      called := s.name;
      kept := s.name;
      held := s.positions;
    elsif s.name is not null and held && s.positions then
      select free.candidate into called
      from (select nth, left(kept, 40 - length(' (' || nth || ')')) || ' (' || nth || ')' as candidate from generate_series(2, 1000) nth) free
      where not exists (select from tyre t
        where t.site_id = s.site_id and t.vehicle_id = s.vehicle_id and t.removed_at is null
          and lower(btrim(t.tyre_set)) = lower(free.candidate))
      order by free.nth limit 1;
    else
      called := kept;
      held := held || s.positions;
    end if;
    set_before := s.same;
    continue when called is not distinct from s.before;
    update tyre set tyre_set = called where site_id = s.site_id and id = any (s.tyres);
    insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, note)
      select s.site_id, id, s.customer_id, s.vehicle_id, 'changed', coalesce(called, '') from unnest(s.tyres) id;
    insert into audit (site_id, customer_id, action, subject, facts)
      values (s.site_id, s.customer_id, 'tyre.respell', 'vehicle ' || s.vehicle_id,
        jsonb_build_object('tyres', s.tyres, 'before', s.before, 'set', called));
  end loop;
end $$;
update tyre set tyre_set = nullif(btrim(tyre_set), '') where removed_at is not null and tyre_set <> btrim(tyre_set);
alter table tyre force row level security;
alter table tyre_event force row level security;
alter table tyre_words force row level security;
alter table audit force row level security;

alter table tyre add constraint tyre_set_trimmed check (tyre_set = btrim(tyre_set));
create unique index tyre_set_position on tyre (site_id, vehicle_id, lower(tyre_set), position)
  where tyre_set is not null and removed_at is null and status <> 'waste';
