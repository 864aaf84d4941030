-- version 1, 004bdf8cc05e
-- Fills in rim, set and size of a stay from its tyre, however the stay begins.
create or replace function keep_facts() returns trigger language plpgsql as $$
begin
  select t.rims is not null, t.tyre_set, size_class(a.rim) into new.with_rim, new.tyre_set, new.size_class
  from tyre t join article a on a.site_id = t.site_id and a.id = t.article_id
  where t.site_id = new.site_id and t.id = new.tyre_id;
  return new;
end $$;
