-- On which device an operation was started: it goes no further once that was logged out from another one.
alter table bulk_operation add column session_id uuid;
