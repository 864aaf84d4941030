-- The first steps at a new site: whether its images are the generated mark still, and when somebody put the list away.
alter table site
  add column generated_mark boolean not null default false,
  add column first_steps_dismissed_at timestamptz;
