-- A worker begins a change only if nobody has stopped it since it was claimed.
alter table bulk_item add column begun boolean not null default false;
update bulk_item set begun = true
  where outcome = 'waiting' and fence > 0 and (code is null or code not in ('rate_limited', 'network_throttled'));
