-- A wheel of a storage that lies on its planned place already, before the storage is confirmed. One whose place is only suggested
-- can still be planned elsewhere.
alter table operation_tyre add column placed boolean not null default false;
