-- How a storage document is paid: to whom, with which VAT and how much, as it was on its day. Null for one from before, and for one
-- that nobody pays by itself.
alter table document add payment jsonb;
