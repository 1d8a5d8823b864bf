import type { DatabaseSync } from 'node:sqlite';

/** What the first version of the card gateway kept; later columns are in `ADDED`. */
const TABLES = `
create table if not exists card_customer (
  id text primary key, email text, name text, metadata text not null, created integer not null
);
create table if not exists card_customer_deleted (id text primary key);
create table if not exists card_method (
  id text primary key,
  customer text,
  brand text not null,
  last4 text not null,
  exp_month integer not null,
  exp_year integer not null,
  behaviour text not null,
  billing text not null,
  created integer not null
);
create index if not exists card_method_customer on card_method (customer);
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
create table if not exists card_setup (
  no integer primary key,
  id text not null unique,
  customer text not null,
  method text not null,
  description text,
  metadata text not null,
  error text,
  created_at integer not null
);
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
create table if not exists card_session (
  no integer primary key,
  id text not null unique,
  mode text not null,
  customer text not null,
  intent text not null,
  amount integer not null,
  status text not null,
  success_url text not null,
  cancel_url text,
  metadata text not null,
  reference text,
  data text not null,
  created_at integer not null,
  expires_at integer not null
);
create index if not exists card_session_open on card_session (status) where status = 'open';
create index if not exists card_session_intent on card_session (intent);
create table if not exists card_event (
  no integer primary key,
  id text not null unique,
  type text not null,
  about text not null,
  body text not null,
  created_at integer not null,
  send_at integer,
  copies integer not null,
  trick text,
  attempts integer not null default 0,
  answer text
);
create index if not exists card_event_send on card_event (send_at) where send_at is not null;
create index if not exists card_event_created on card_event (created_at);
`;

/** The same for both kinds of intent; empty text in `customer` and `method` is none. */
const INTENT_COLUMNS = [
  "status text not null default 'succeeded'",
  "secret text not null default ''",
  'usage text',
  'return_url text',
  'attempt text',
  'settle_at integer',
  'canceled_at integer',
  'cancel_reason text',
  'declined_method text',
];

/** Columns in the order in which they came: a state file of any earlier version gets those it lacks. */
const ADDED: Readonly<Record<string, readonly string[]>> = {
  card_method: ['is_set_up integer not null default 0', 'is_spent integer not null default 0'],
  card_intent: INTENT_COLUMNS,
  card_setup: INTENT_COLUMNS,
  card_dispute: ["evidence text not null default '{}'"],
  card_session: ['address text', 'note text'],
};

const INDEXES = `
create unique index if not exists card_intent_attempt on card_intent (attempt);
create unique index if not exists card_setup_attempt on card_setup (attempt);
create index if not exists card_intent_settle on card_intent (settle_at) where settle_at is not null;
`;

/** Makes the gateway's tables, or brings those of an earlier version up to date. */
export function prepareCardTables(db: DatabaseSync): void {
  db.exec(TABLES);
  const known = db.prepare('select name from pragma_table_info(?)');
  for (const [table, columns] of Object.entries(ADDED)) {
    const names = new Set(known.all(table).map(({ name }) => name));
    for (const column of columns) {
      const [name] = column.split(' ');
      if (names.has(name ?? '')) continue;
      db.exec(`alter table ${table} add column ${column}`);
      // Until then an intent was paid or declined, and nothing else.
      if (name === 'status') {
        db.exec(`update ${table} set status = 'requires_payment_method' where error is not null`);
      }
    }
  }
  db.exec(INDEXES);
}

/** What banks have of an intent, and in how many cases that isn't decided. */
export const CALLED_BACK = `select coalesce(sum(amount), 0) as cents,
    coalesce(sum(status in ('needs_response', 'under_review')), 0) as open
  from card_dispute where intent = ? and status in ('needs_response', 'under_review', 'lost')`;

/** Payment intents with what was given back of them. */
export const INTENTS = `select card_intent.*, coalesce((select sum(card_refund.amount) from card_refund
  where intent = card_intent.id), 0) as refunded from card_intent`;
