-- version 1, cd634c1b3fa2
-- Whether this transaction wrote a row last, by the row's xmin.
create or replace function written_by(row_xmin xid, transaction xid8) returns boolean language sql immutable parallel safe as $$
  select row_xmin::text::bigint = transaction::text::numeric % 4294967296
$$;
