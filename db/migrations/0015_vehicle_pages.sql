-- The vehicles of a site in the order of their plates, from any of them on: without the number behind the plate the last page
-- read all vehicles before it.
create index vehicle_listed on vehicle (site_id, license_plate, id) where removed_at is null;
