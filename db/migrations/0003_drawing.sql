-- A configuration that says nothing of its drawing is drawn in the proportions of domain/axle.ts.
alter table vehicle_config alter column axle_width set default 140;
