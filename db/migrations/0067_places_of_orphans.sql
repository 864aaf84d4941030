-- A place can go once the wheel that was found on it is identified or given up: where it was found is forgotten, the rest stays.
alter table orphan drop constraint orphan_site_id_location_id_fkey,
  add foreign key (site_id, location_id) references location on delete set null (location_id);
