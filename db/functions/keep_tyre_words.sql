-- version 1, 6be4db564ebc
-- Keeps each text by which tyres are searched, once. Sorted, so that two statements that add the same texts wait for each other in one
-- order. `on conflict` names no target: PostgreSQL would have to read the row, which customers may not.
create or replace function keep_tyre_words() returns trigger language plpgsql as $$
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
