-- The backups that the portal takes by itself (docs/decisions/0036): of the whole portal, so that no site sees them by row-level
-- security, and no role but the portal's.
create table backup_run (
  night date primary key,                     -- the day on which it was due
  began_at timestamptz not null,
  ended_at timestamptz,
  file text not null default '',
  rows bigint,
  bytes bigint,
  problem text not null default '',
  alarmed_at timestamptz                      -- when people were told that the last good one is too old
);
grant select, insert, update, delete on backup_run to wheelhouse_app;
