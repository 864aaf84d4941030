-- version 1, 866c63aa8c55
-- Adds the size to the open stays of an article whose rim becomes known.
create or replace function add_sizes() returns trigger language plpgsql as $$
begin
  update stay s set size_class = size_class(new.rim) from tyre t
  where t.site_id = new.site_id and t.article_id = new.id and t.status = 'in_stock' and t.removed_at is null
    and s.site_id = t.site_id and s.tyre_id = t.id and s.until is null and s.size_class is null;
  return null;
end $$;
