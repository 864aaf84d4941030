-- Searches find letters that are no Latin letter with an accent, by how people spell them without: strasse, oeuvre, lodz, sonderborg, dorde;
-- and what cannot be seen stands between no letters. The same as `folded` in src/domain/texts/folded.ts.
create or replace function folded(said text) returns text
  language sql immutable parallel safe
  return case when octet_length(said) = length(said) then lower(said) else
    translate(lower(translate(
      replace(replace(replace(replace(replace(replace(replace(replace(
        regexp_replace(normalize(said, nfkd),
          '[\u00ad\u0300-\u036f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe00-\ufe0f\ufeff]', '', 'g'),
        'ß', 'ss'), 'ẞ', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'), 'þ', 'th'), 'Þ', 'th'),
      'ØøŁłĐđÐðĦħŦŧı', 'oollddddhhtti')), 'ς', 'σ') end;

-- What is looked through was folded when it was written. A value is folded again when a column of its row is set.
alter table vehicle no force row level security; -- binds its owner, too, unless that is a superuser
update vehicle set brand = brand
  where octet_length(words) <> length(words)
    and words <> folded(license_plate || ' ' || number || ' ' || brand || ' ' || description || ' ' || driver_name);
alter table vehicle force row level security;

alter table tyre_words no force row level security;
update tyre_words set description = description
  where octet_length(words) <> length(words) and words <> folded(description || ' ' || tyre_set);
alter table tyre_words force row level security;
