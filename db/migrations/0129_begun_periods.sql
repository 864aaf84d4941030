-- Of days that are charged by the period or season, how many days one has, counted from the first day of the entry: what has begun is
-- owed to its end, so that it does not matter whether it was charged before the wheel left or after (docs/money.md). Null: by the day.
alter table storage_ledger add column period int check (period > 0);
