-- What a member has plans cost more a month, though nothing was charged: of several that go on, their sum holds against
-- the member's limit (docs/decisions/0053-what-a-limit-holds-for.md).
create table member_raise (
  workspace_id uuid not null,
  subscription_id uuid not null,
  user_id uuid not null,
  cents int not null check (cents > 0),
  at timestamptz not null,
  primary key (workspace_id, subscription_id, user_id),
  foreign key (workspace_id, subscription_id) references subscription (workspace_id, id) on delete cascade
);

create index member_raise_by_person on member_raise (workspace_id, user_id, at);
