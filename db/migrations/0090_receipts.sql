-- Papers of operations: what was handed over, and who signed for it (docs/decisions/0063).

-- A wheel as it was when its operation was confirmed. Papers print it; it doesn't change with the tyre, its article or its customer.
create table handed_wheel (
  site_id int not null references site,
  operation_id int not null,
  wheel int not null,                          -- the number on its label
  customer_id int not null,
  position text not null,
  description text not null,
  tyre_set text,
  depth numeric(4, 2),
  rims text,
  bolts boolean not null,
  hubcaps boolean not null,
  damages text[] not null default '{}',        -- what was found until then and not mended
  primary key (site_id, operation_id, wheel),
  foreign key (site_id, customer_id, operation_id) references operation (site_id, customer_id, id) on delete cascade
);

-- The signature on the receipt of a storage. Without one the receipt is printed with a line to sign on.
create table storage_receipt (
  site_id int not null references site,
  operation_id int not null,
  customer_id int not null,
  signature bytea not null,                    -- a PNG that this portal has encoded
  signed_name text not null check (length(signed_name) between 1 and 100),
  signed_at timestamptz not null,
  signed_by int references account,            -- whose device it was signed on
  primary key (site_id, operation_id),
  foreign key (site_id, customer_id, operation_id) references operation (site_id, customer_id, id) on delete cascade
);

do $$
declare
  t text;
begin
  foreach t in array array['handed_wheel', 'storage_receipt'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy site_rows on %I using (site_id = (select nullif(current_setting(''app.site'', true), '''')::int))', t);
    execute format('create policy customer_rows on %I as restrictive using (
      (select nullif(current_setting(''app.customer'', true), '''')::int) is null
      or customer_id = (select nullif(current_setting(''app.customer'', true), '''')::int))', t);
    -- what was handed over and signed stays
    execute format('grant select, insert on %I to wheelhouse_app', t);
  end loop;
end $$;
