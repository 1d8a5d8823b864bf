-- The gateway's events name cards by this.
create index card_by_method on card (payment_method_id);
