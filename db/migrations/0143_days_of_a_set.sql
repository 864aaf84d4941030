-- Days of a wheel whose set a document charges already are `included` by that document, without a season.
alter table storage_ledger
  add column rule_id int,                      -- by which rule a document charges these days; null: by the fields of the site
  add column unit int,                         -- what a document charges as one; null: charged before units were kept
  add column of_set boolean,                   -- whether the unit is a set, and the days are paid for all its wheels; null: likewise
  add constraint storage_ledger_rule foreign key (site_id, rule_id) references tariff_rule,
  drop constraint included_by_season,
  add constraint included_by_something check (state <> 'included' or season_rule_id is not null or document_id is not null);
