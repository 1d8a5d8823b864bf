-- What browsers report of the content policy, each kind once (docs/card-security.md). Of nobody: no address,
-- no session, no query.
create table policy_report (
  key text primary key,
  directive text not null,
  blocked text not null,
  page text not null,
  source text not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  times integer not null default 1
);
create index policy_report_by_time on policy_report (last_at);
