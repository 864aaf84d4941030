-- Whether somebody who confirms an operation is asked if its document is to be inserted; else it is, without a question.

alter table site add doc_insert_asks boolean not null default true;
