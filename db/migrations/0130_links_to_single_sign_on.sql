-- The account that its owner links to whoever signs in at the provider (docs/decisions/0080); none: a sign-in.
alter table sign_on_attempt add links_to int;
