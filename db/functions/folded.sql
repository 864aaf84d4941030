-- version 2, 46ebd15322b7
-- Folds a text for searches: letters are spelt as people do without accents (strasse, oeuvre, lodz, sonderborg, dorde), invisible
-- characters go. The same as `folded` in src/domain/texts/folded.ts.
create or replace function folded(said text) returns text
  language sql immutable parallel safe
  return case when octet_length(said) = length(said) then lower(said) else
    translate(lower(translate(
      replace(replace(replace(replace(replace(replace(replace(replace(
        regexp_replace(normalize(said, nfkd),
          '[\u00ad\u0300-\u036f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe00-\ufe0f\ufeff]', '', 'g'),
        'ß', 'ss'), 'ẞ', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'), 'þ', 'th'), 'Þ', 'th'),
      'ØøŁłĐđÐðĦħŦŧı', 'oollddddhhtti')), 'ς', 'σ') end;
