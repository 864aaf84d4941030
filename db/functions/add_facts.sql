-- version 1, 02d01cbd08de
-- Adds to the open stay of a tyre what becomes known while the tyre is in the store: rim, set, size. Known facts stay.
create or replace function add_facts() returns trigger language plpgsql as $$
begin
  update stay s set with_rim = s.with_rim or new.rims is not null, tyre_set = coalesce(s.tyre_set, new.tyre_set),
    size_class = coalesce(s.size_class, (select size_class(a.rim) from article a where a.site_id = new.site_id and a.id = new.article_id))
  where s.site_id = new.site_id and s.tyre_id = new.id and s.until is null;
  return null;
end $$;
