-- What something was changed to, as JSON; null: entries of before, and those whose action says it all.
-- Text, because the chain hashes it as it was written.
alter table audit_event add column detail text;
