-- Addresses outside that a workspace's reports are mailed to. One goes with the member who added it.
create table report_address (
  workspace_id uuid not null,
  email text not null,
  id uuid not null,
  added_by uuid not null,
  added_at timestamptz not null,
  primary key (workspace_id, email),
  unique (workspace_id, id),
  foreign key (workspace_id, added_by) references membership (workspace_id, user_id) on delete cascade
);
create index report_address_by_member on report_address (workspace_id, added_by);

-- Those chosen before are their workspace's first owner's.
insert into report_address (workspace_id, email, id, added_by, added_at)
  select r.workspace_id, r.email, gen_random_uuid(), o.user_id, now()
  from (select distinct workspace_id, unnest(addresses) as email from report_mail) r
  cross join lateral (select user_id from membership m
    where m.workspace_id = r.workspace_id and m.role = 'Owner' order by m.created_at, m.user_id limit 1) o;
