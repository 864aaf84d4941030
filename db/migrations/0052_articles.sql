-- The number under which the European register of labels (EPREL) has an article.
alter table article add column eprel text check (eprel ~ '^[0-9]{1,10}$');
