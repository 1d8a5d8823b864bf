-- Changes are claimed by workspace, in turns.
create index bulk_item_turn on bulk_item (workspace_id, operation_id, due_at, position)
  where due_at is not null;
drop index bulk_item_due;
