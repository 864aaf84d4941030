-- version 1, eb41cae9aaf5
-- Stamps when a record was changed, for programs that keep a copy (docs/decisions/0057). By the clock of the change and not of its
-- transaction's beginning, so that no change is older than one that was already read.
create or replace function stamp_change() returns trigger language plpgsql as $$
begin
  new.changed_at := clock_timestamp();
  return new;
end $$;
