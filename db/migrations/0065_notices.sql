-- What people are told of what happened (docs/decisions/0056).

-- What somebody chose; without a row it is as src/domain/people/notice.ts says.
create table notice_choice (
  account_id int primary key references account on delete cascade,
  site_id int not null references site,
  customer_id int,                            -- that of the account
  hidden text[] not null default '{}',        -- kinds that are not listed in the portal
  mailed text[] not null default '{dayChanged,cancelled}',
  daily boolean not null default false,       -- one message a day
  key uuid not null unique default gen_random_uuid()  -- in the link that ends messages without a sign-in; it can do nothing else
);
create index on notice_choice (site_id, customer_id);

-- What happened, until it is settled who is told. Triggers write it in the transaction of what happened.
create table happening (
  site_id int not null references site,
  id bigint generated always as identity,
  customer_id int not null,
  kind text not null,
  operation_id int,
  vehicle_id int,
  document_id int,
  facts jsonb not null default '{}',          -- numbers, days and states, never a name
  account_id int,                             -- who did it, and need not be told
  at timestamptz not null default now(),
  primary key (site_id, id)
);

create table notice (
  site_id int not null references site,
  id bigint generated always as identity,
  account_id int not null references account on delete cascade,
  customer_id int,                            -- that of the account
  about_customer int not null,
  kind text not null,
  operation_id int,
  vehicle_id int,
  document_id int,
  license_plate text not null default '',
  facts jsonb not null default '{}',
  at timestamptz not null,
  listed boolean not null,                    -- in the portal
  read_at timestamptz,
  mail_due_at timestamptz,                    -- none: not by mail
  mailed_at timestamptz,
  primary key (site_id, id)
);
create index notice_account on notice (account_id, id) where listed;
create index notice_due on notice (mail_due_at) where mail_due_at is not null and mailed_at is null;
create index notice_of_operation on notice (site_id, operation_id) where operation_id is not null;
create index notice_of_customer on notice (site_id, about_customer, kind, at);
create index notice_at on notice (at);

do $$
declare
  t text;
begin
  foreach t in array array['notice_choice', 'happening', 'notice'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy site_rows on %I using (
      site_id = (select nullif(current_setting(''app.site'', true), '''')::int)
      or (select current_setting(''app.scope'', true) = ''system''))', t);
    execute format('create policy customer_rows on %I as restrictive using (
      (select coalesce(current_setting(''app.customer'', true), '''') = '''')
      or customer_id = (select nullif(current_setting(''app.customer'', true), '''')::int))', t);
  end loop;
end $$;
grant select, insert, update, delete on notice_choice, happening, notice to wheelhouse_app;

create function acting_account() returns int language sql stable as
  $$ select nullif(current_setting('app.account', true), '')::int $$;

-- The delivery day with which an operation was submitted last: submitted again with another one, its day has changed.
alter table operation add column promised_date date;
update operation set promised_date = delivery_date where status = 'submitted';
create function promise_delivery() returns trigger language plpgsql as $$
begin
  new.promised_date := new.delivery_date;
  return new;
end $$;
create trigger delivery_is_promised before insert or update of status on operation
  for each row when (new.status = 'submitted') execute function promise_delivery();

create function note_operation() returns trigger language plpgsql as $$
declare
  facts constant jsonb := jsonb_build_object('type', new.type, 'tyres', new.tyre_count, 'to', new.delivery_date);
begin
  insert into happening (site_id, customer_id, kind, operation_id, vehicle_id, facts, account_id)
  values (new.site_id, new.customer_id,
    case new.status when 'pending' then 'withdrawn' when 'confirmed' then 'done' else new.status end,
    new.id, new.vehicle_id, facts, acting_account());
  if tg_op = 'UPDATE' and old.promised_date <> new.promised_date then
    insert into happening (site_id, customer_id, kind, operation_id, vehicle_id, facts, account_id)
    values (new.site_id, new.customer_id, 'dayChanged', new.id, new.vehicle_id,
      facts || jsonb_build_object('from', old.promised_date), acting_account());
    -- the steps are told to programs already (0043_webhooks.sql)
    perform publish_happenings(array[row(new.site_id, new.customer_id, 'operation.rescheduled', 'operation ' || new.id,
      jsonb_build_object('operation', new.id, 'type', new.type, 'status', new.status, 'vehicle', new.vehicle_id,
        'customer', new.customer_id, 'from', old.promised_date, 'to', new.delivery_date))::webhook_happening]);
  end if;
  return null;
end $$;
create trigger operation_submitted_is_noted after insert on operation
  for each row when (new.status = 'submitted') execute function note_operation();
create trigger operation_step_is_noted after update of status on operation
  for each row when (new.status <> old.status) execute function note_operation();

-- A recall that a wave takes is planned.
create function note_wave() returns trigger language plpgsql as $$
begin
  insert into happening (site_id, customer_id, kind, operation_id, vehicle_id, facts, account_id)
  select o.site_id, o.customer_id, 'planned', o.id, o.vehicle_id,
    jsonb_build_object('type', o.type, 'tyres', o.tyre_count, 'to', o.delivery_date), acting_account()
  from (select distinct site_id, operation_id from added) a
    join operation o on o.site_id = a.site_id and o.id = a.operation_id
  where o.status = 'submitted';
  perform publish_happenings(array_agg(row(o.site_id, o.customer_id, 'operation.planned', 'operation ' || o.id,
    jsonb_build_object('operation', o.id, 'type', o.type, 'status', o.status, 'vehicle', o.vehicle_id,
      'customer', o.customer_id))::webhook_happening order by o.id))
  from (select distinct site_id, operation_id from added) a
    join operation o on o.site_id = a.site_id and o.id = a.operation_id
  where o.status = 'submitted';
  return null;
end $$;
create trigger wave_line_is_noted after insert on wave_line referencing new table as added
  for each statement execute function note_wave();

-- Whether all wheels of the recall are picked that are there is asked when people are told: two devices pick at once.
create function note_pick() returns trigger language plpgsql as $$
begin
  insert into happening (site_id, customer_id, kind, operation_id, vehicle_id, facts, account_id)
  select o.site_id, o.customer_id, 'picked', o.id, o.vehicle_id,
    jsonb_build_object('type', o.type, 'tyres', o.tyre_count, 'to', o.delivery_date), acting_account()
  from operation_tyre held join operation o on o.site_id = held.site_id and o.id = held.operation_id
  where held.site_id = new.site_id and held.tyre_id = new.tyre_id and held.open and o.type = 'to_customer' and o.status = 'submitted';
  return null;
end $$;
create trigger pick_is_noted after update of state on wheel
  for each row when (new.state in ('picked', 'staged', 'loaded', 'missing') and old.state not in ('picked', 'staged', 'loaded'))
  execute function note_pick();

create function note_document() returns trigger language plpgsql as $$
begin
  insert into happening (site_id, customer_id, kind, operation_id, vehicle_id, document_id, facts, account_id)
  values (new.site_id, new.customer_id, 'document', new.operation_id, new.vehicle_id, new.id,
    jsonb_build_object('document', new.type), acting_account());
  return null;
end $$;
create trigger document_is_noted after insert on document for each row execute function note_document();

-- A depth was read: whether the tyre is worn is for the rules of the portal to say.
create function note_depths() returns trigger language plpgsql as $$
begin
  insert into happening (site_id, customer_id, kind, vehicle_id, account_id)
  select e.site_id, e.customer_id, 'measured', e.vehicle_id, acting_account()
  from added e where e.kind = 'measured' group by e.site_id, e.customer_id, e.vehicle_id;
  return null;
end $$;
create trigger depth_is_noted after insert on tyre_event referencing new table as added
  for each statement execute function note_depths();

-- An account of another customer has another view: what it was told and chose was for the one before.
create function forget_notices() returns trigger language plpgsql as $$
begin
  delete from notice where account_id = new.id;
  delete from notice_choice where account_id = new.id;
  return null;
end $$;
create trigger account_of_another_customer after update of customer_id, type on account
  for each row when (old.customer_id is distinct from new.customer_id or old.type <> new.type) execute function forget_notices();
