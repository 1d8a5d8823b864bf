-- Whose charge it is: its receipt is told with the others of its operation.
create index bulk_item_attempt on bulk_item (workspace_id, attempt_id);
