-- What is over is thrown away once an hour, without reading what is not.
create index on sign_in_failure (at);
create index on session (seen_at);
