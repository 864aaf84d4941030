-- How much tread a tyre needs depends on its season. Looked up in the article it would cost a fleet of 10,000 tyres 12 % of
-- its answer (measured), kept on the tyre 2 %. It is always the article's: whoever adds a tyre or corrects an article.
alter table tyre add column season text check (season in ('summer', 'winter', 'all_season', 'snow'));

-- Whoever owns the tables is bound by row-level security like everybody, unless it is a superuser.
alter table tyre no force row level security;
alter table article no force row level security;
update tyre t set season = a.season from article a
where a.site_id = t.site_id and a.id = t.article_id and a.season is not null;
alter table tyre force row level security;
alter table article force row level security;

-- Of an article that stands for unknown ones, the season that was asked for may be known although the article has none.
create function season_of_article() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' or new.season is null then
    new.season := coalesce(
      (select season from article where site_id = new.site_id and id = new.article_id), new.season);
  end if;
  return new;
end $$;
create trigger tyre_has_its_season before insert or update of article_id on tyre
  for each row execute function season_of_article();

create function season_to_tyres() returns trigger language plpgsql as $$
begin
  update tyre t set season = a.season
  from corrected a join before_it b on b.site_id = a.site_id and b.id = a.id
  where a.season is distinct from b.season and t.site_id = a.site_id and t.article_id = a.id;
  return null;
end $$;
create trigger article_gives_its_season after update on article
  referencing old table as before_it new table as corrected
  for each statement execute function season_to_tyres();
