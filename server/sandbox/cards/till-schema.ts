export const TILL_SCHEMA = `
create table if not exists card_intent (
  no integer primary key,
  id text not null unique,
  customer text not null,
  method text not null,
  amount integer not null check (amount > 0),
  currency text not null,
  description text,
  metadata text not null,
  error text,
  idempotency_key text,
  created_at integer not null
);
create index if not exists card_intent_customer on card_intent (customer, no desc);
create table if not exists card_refund (
  no integer primary key,
  id text not null unique,
  intent text not null references card_intent (id),
  amount integer not null check (amount > 0),
  reason text,
  metadata text not null,
  created_at integer not null
);
create index if not exists card_refund_intent on card_refund (intent);
create table if not exists card_dispute (
  no integer primary key,
  id text not null unique,
  intent text not null references card_intent (id),
  amount integer not null check (amount > 0),
  status text not null,
  created_at integer not null
);
create index if not exists card_dispute_intent on card_dispute (intent);
`;

/** Payment intents with what was given back of them. */
export const INTENTS = `select card_intent.*, coalesce((select sum(card_refund.amount) from card_refund
  where intent = card_intent.id), 0) as refunded from card_intent`;
