-- The other half of a season swap: the storage of a recall, and the recall of a storage. A half that is deleted leaves the other alone.
alter table operation
  add column swap_id int,
  add constraint operation_swap foreign key (site_id, swap_id) references operation on delete set null (swap_id);
create index operation_swap_id on operation (site_id, swap_id) where swap_id is not null;
