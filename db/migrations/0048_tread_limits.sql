-- From which depth, in mm, a tyre should be replaced: what the site wants of summer tyres and of tyres for snow, of cars and of trucks;
-- and what a customer wants beyond that. The law is in the portal (src/domain/tyres/tyreLaw.ts). Nodes of the version before never write these.
alter table site
  add min_tread_summer numeric(4, 2) not null default 3 check (min_tread_summer between 0 and 10),
  add min_tread_winter numeric(4, 2) not null default 4 check (min_tread_winter between 0 and 10),
  add min_tread_truck_summer numeric(4, 2) not null default 3 check (min_tread_truck_summer between 0 and 10),
  add min_tread_truck_winter numeric(4, 2) not null default 3 check (min_tread_truck_winter between 0 and 10);
alter table customer
  add min_tread_summer numeric(4, 2) check (min_tread_summer between 0 and 10),
  add min_tread_winter numeric(4, 2) check (min_tread_winter between 0 and 10);
