-- All vehicles of a site are searched by words that may stand anywhere in a text. Behind row-level security no index finds those,
-- so what is looked through is folded when it is written, and each text of tyres is looked through once, not once a tyre
-- (docs/decisions/0023).

-- Lower case, without accents: the same as `folded` in src/server/search.ts. Most texts have no accents, and are spared the work.
create function folded(said text) returns text
  language sql immutable parallel safe
  return lower(case when octet_length(said) = length(said) then said
    else regexp_replace(normalize(said, nfkd), '[\u0300-\u036f]', '', 'g') end);

alter table vehicle add column words text collate "C" not null generated always as (
  folded(license_plate || ' ' || number || ' ' || brand || ' ' || description || ' ' || driver_name)) stored;

-- All vehicles are gone through in this index, without the table.
drop index vehicle_listed;
create index vehicle_listed on vehicle (site_id, license_plate, id) include (customer_id, words) where removed_at is null;

-- What is written of tyres, each text once: thousands where there are hundreds of thousands of tyres. It is only added to; one
-- that no tyre has any more leads nowhere.
create table tyre_words (
  site_id int not null references site,
  description text not null,
  tyre_set text not null,                     -- empty for tyres of no set
  words text collate "C" not null generated always as (folded(description || ' ' || tyre_set)) stored,
  primary key (site_id, description, tyre_set)
);

alter table tyre no force row level security; -- binds its owner, too, unless that is a superuser
insert into tyre_words (site_id, description, tyre_set)
  select distinct site_id, description, coalesce(tyre_set, '') from tyre;
alter table tyre force row level security;

-- From a text to its tyres.
create index tyre_described on tyre (site_id, description) where removed_at is null;

-- Sorted, so that two who add the same new texts at once wait for each other in one order. No target of the conflict is named:
-- for that PostgreSQL wants to read the row, and customers may not.
create function keep_tyre_words() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into tyre_words (site_id, description, tyre_set)
      select distinct site_id, description, coalesce(tyre_set, '') from put order by 1, 2, 3
      on conflict do nothing;
  else
    insert into tyre_words (site_id, description, tyre_set)
      values (new.site_id, new.description, coalesce(new.tyre_set, '')) on conflict do nothing;
  end if;
  return null;
end $$;
create trigger tyre_has_words after insert on tyre referencing new table as put
  for each statement execute function keep_tyre_words();
create trigger tyre_has_other_words after update of description, tyre_set on tyre
  for each row when (new.description <> old.description or new.tyre_set is distinct from old.tyre_set)
  execute function keep_tyre_words();

-- It says of no text whose it is, so only administrators read it; every tyre adds to it.
alter table tyre_words enable row level security;
alter table tyre_words force row level security;
create policy site_rows on tyre_words using (site_id = (select nullif(current_setting('app.site', true), '')::int));
create policy administrators on tyre_words as restrictive for select
  using ((select coalesce(current_setting('app.customer', true), '') = ''));
grant select, insert on tyre_words to wheelhouse_app;
