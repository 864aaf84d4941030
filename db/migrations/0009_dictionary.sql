-- Which state of the dictionary a node has read: it asks for this number, and reads the texts anew only when it has changed.
create table dictionary (
  id boolean primary key default true check (id),   -- one row
  version bigint not null default 0
);
insert into dictionary default values;

-- The number is taken in the transaction that changes the texts, so neither is seen without the other.
create function dictionary_changed() returns trigger language plpgsql as $$
begin
  update dictionary set version = version + 1;
  return null;
end $$;

create trigger dictionary_changed after insert or update or delete or truncate on translation
  for each statement execute function dictionary_changed();

grant select, update on dictionary to wheelhouse_app;
