-- version 1, 764ad23d83bf
-- Gives a tyre the season of its article. An article for unknown tyres has none; then the season that was entered stays.
create or replace function season_of_article() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' or new.season is null then
    new.season := coalesce(
      (select season from article where site_id = new.site_id and id = new.article_id), new.season);
  end if;
  return new;
end $$;
