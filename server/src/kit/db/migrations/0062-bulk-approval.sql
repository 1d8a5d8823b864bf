-- Changes of many accounts that another person has to approve (docs/decisions/0049-a-second-person.md).

-- Above it a manager's operation waits for somebody else; null: none does.
alter table workspace add column approval_above_cents integer check (approval_above_cents >= 0);

alter table bulk_operation
  drop constraint bulk_operation_state_check,
  drop constraint bulk_operation_check,
  drop constraint bulk_operation_check1,
  add column approves uuid,
  add column decided_by uuid,
  add constraint bulk_operation_state check (state in ('draft', 'running', 'done', 'proposed', 'approved',
    'refused', 'withdrawn', 'expired')),
  add constraint bulk_operation_started check ((state = 'draft') = (started_at is null)),
  add constraint bulk_operation_ended check ((state in ('draft', 'running', 'proposed')) = (ended_at is null)),
  add constraint bulk_operation_decided check ((decided_by is not null) = (state in ('approved', 'refused')));
-- Carried out once.
create unique index bulk_operation_approved on bulk_operation (workspace_id, approves)
  where state <> 'draft';
create index bulk_operation_proposed on bulk_operation (started_at) where state = 'proposed';
