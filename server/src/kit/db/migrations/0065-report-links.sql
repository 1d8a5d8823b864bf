-- A link is looked up by its token, which needs no key across workspaces.
alter table report_address drop constraint report_address_token_hash_key;
create index report_address_by_token on report_address (token_hash);
