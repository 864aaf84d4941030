-- What a wheel last had with it is looked up when its storage is asked for.
create index handed_wheel_last on handed_wheel (site_id, wheel, operation_id);
