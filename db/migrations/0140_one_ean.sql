-- One product has one EAN: 12 digits are the 13 with a leading zero, as are 14 that begin with one, and 13 that begin with five zeros
-- are the EAN-8 (src/domain/tyres/article.ts). An article keeps its EAN where another one has it too: nothing is joined, which is for
-- people to decide. The text that is searched has both spellings.
alter table article no force row level security;
update article set ean = plain.ean, words = words || ' ' || plain.ean
from (
  select site_id as site, id as article,
    case when ean ~ '^0{4,6}[0-9]{8}$' then right(ean, 8) when ean ~ '^[0-9]{12}$' then '0' || ean else substr(ean, 2) end as ean
  from article where ean ~ '^(0{4,6}[0-9]{8}|[0-9]{12}|0[0-9]{13})$') plain
where site_id = plain.site and id = plain.article;
alter table article force row level security;
