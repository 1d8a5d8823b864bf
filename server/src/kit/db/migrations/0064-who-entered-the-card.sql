-- The audit log names who replaced the card.
alter table card_setup add column asked_by uuid;
