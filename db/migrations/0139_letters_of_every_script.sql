-- Plates and the keys of brands keep letters of every script. Letters outside A to Z were left out of both: what plates lost is not
-- known any more, so they stay; keys are made again from the brand, as lettersAndDigits does (src/domain/texts/letters.ts).

-- Of the signs that keyboards have only capital letters and digits; which letters look alike is decided where plates are read.
alter table vehicle drop constraint vehicle_license_plate_check;
alter table vehicle add constraint vehicle_license_plate_check
  check (license_plate ~ '^[^\u0001-\u002f\u003a-\u0040\u005b-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u2000-\u206f]+$') not valid;
alter table vehicle validate constraint vehicle_license_plate_check;

-- Keys only gain letters: two that become equal were equal before, which article_once forbids. So no row can be in the way.
alter table article no force row level security;
do $$
declare
  -- PostgreSQL knows capital letters of every script with ICU, or in a locale that is not C
  capitals constant text := case when exists (select from pg_collation where collname = 'und-x-icu') then ' collate "und-x-icu"' else '' end;
begin
  execute $update$
    with keyed as (
      select site_id, id, (regexp_replace(
        upper((normalize(regexp_replace(normalize(brand, nfkd), '([A-Za-z\u00c0-\u024f\u0370-\u03ff])[\u0300-\u036f]+', '\1', 'g'), nfc))$update$ || capitals || $update$),
        '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7\u02b0-\u02ff\u2000-\u2bff\u3000-\u3004\ufe00-\ufe0f\ufeff]',
        '', 'g')) collate "C" as key
      from article where octet_length(brand) <> length(brand))
    update article a set brand_key = k.key from keyed k where a.site_id = k.site_id and a.id = k.id and a.brand_key <> k.key
  $update$;
end $$;
alter table article force row level security;
