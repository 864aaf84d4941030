-- What nothing reads. The view was for nodes of a version that wrote storage_ledger by its former name, the column has a default that every
-- node leaves to the database: nodes of the version before name neither.
drop view document_tyre;
alter table location_scan drop column received_at;
