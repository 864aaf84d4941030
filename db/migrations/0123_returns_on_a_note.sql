-- How many tyres come back for those of a delivery note: of the other half of a season swap, as it was when the transport left.
alter table delivery_note add column returned_tyres integer check (returned_tyres > 0);
