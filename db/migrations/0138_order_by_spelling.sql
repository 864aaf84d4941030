-- Names stand in lists as in a telephone book: Ä with A, Ł with L, 2 before 10. Only lists are ordered by it: no key and no index is, which
-- another version of ICU could break. A PostgreSQL without ICU orders by code points, as it did.
do $$
begin
  if exists (select from pg_collation where collname = 'und-x-icu') then
    create collation by_spelling (provider = icu, locale = 'und-u-kn-true');
  else
    create collation by_spelling from "C";
  end if;
end $$;
