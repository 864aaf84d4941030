-- Whether accounts of the warehouse may confirm an operation with tyres missing that they name; else an administrator does.

alter table site add warehouse_confirms_missing boolean not null default false;
