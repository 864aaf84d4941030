-- What happened to a tyre: somebody noted when it was made, too.
do $$
begin
  execute (
    select format('alter table tyre_event drop constraint tyre_event_kind_check, add constraint tyre_event_kind_check check (kind in (%s))',
      string_agg(quote_literal(kind), ', ' order by kind))
    from (
      select kind[1] as kind from pg_constraint c, regexp_matches(pg_get_constraintdef(c.oid), '''(\w+)''', 'g') kind
      where c.conname = 'tyre_event_kind_check' and c.conrelid = 'tyre_event'::regclass
      union
      select 'dated') known);
end $$;
