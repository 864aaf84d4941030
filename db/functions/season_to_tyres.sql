-- version 1, e1269f70f37b
-- Gives the corrected season of an article to its tyres.
create or replace function season_to_tyres() returns trigger language plpgsql as $$
begin
  update tyre t set season = a.season
  from corrected a join before_it b on b.site_id = a.site_id and b.id = a.id
  where a.season is distinct from b.season and t.site_id = a.site_id and t.article_id = a.id;
  return null;
end $$;
