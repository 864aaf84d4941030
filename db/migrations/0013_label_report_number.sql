-- The highest number that a label report of the site ever had, as far as it is gone: no number comes back.
alter table site add last_label_report int not null default 0;
