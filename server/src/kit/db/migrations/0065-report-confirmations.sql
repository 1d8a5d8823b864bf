-- An address outside gets reports once its owner has confirmed, by a link that is mailed to it.
alter table report_address
  -- SHA-256 of the 256-bit token in the newest link; null: none was mailed yet.
  add column token_hash bytea unique,
  add column expires_at timestamptz,
  add column confirmed_at timestamptz,
  add constraint report_address_link check ((token_hash is null) = (expires_at is null));
