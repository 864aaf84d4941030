-- Named views of the list of customers.
alter table list_view drop constraint list_view_list_check;
alter table list_view add constraint list_view_list_check
  check (list in ('vehicles', 'tyres', 'season', 'customers', 'articles', 'audit'));
