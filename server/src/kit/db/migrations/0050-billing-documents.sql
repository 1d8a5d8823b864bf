-- Invoices and credit notes (docs/decisions/0037-invoices.md).

-- As it was entered with the card; null with cards of before, and of deleted customers.
alter table card add column billing_address jsonb;

-- Payments from before there were invoices never get one.
alter table charge add column is_before_invoices boolean not null default false;
update charge set is_before_invoices = true where state = 'succeeded';

-- One for each legal entity. Who issues a document holds it to the commit, so that numbers have no gaps.
create table invoice_series (
  series text primary key,
  seller_name text,
  seller_tax_id text,
  last_number integer not null default 0 check (last_number >= 0)
);
-- Of payments that move no real money.
insert into invoice_series (series) values ('TEST');

create table billing_document (
  workspace_id uuid not null,
  id uuid not null,
  series text not null,
  number integer not null check (number > 0),
  kind text not null check (kind in ('invoice', 'credit_note', 'reversal')),
  charge_id uuid not null,
  amount_cents integer not null check (amount_cents > 0),
  issued_at timestamptz not null,
  content jsonb not null,
  primary key (workspace_id, id),
  unique (workspace_id, series, number),
  foreign key (workspace_id, charge_id) references charge (workspace_id, id)
);
create unique index billing_document_one_invoice on billing_document (workspace_id, charge_id)
  where kind = 'invoice';
create index billing_document_by_charge on billing_document (workspace_id, charge_id);
create index billing_document_by_number on billing_document (series, number);

-- What was issued stays as it is. Only a deletion takes the customer off it.
create function refuse_document_change() returns trigger language plpgsql as $$
  begin
    if tg_op = 'UPDATE' and to_jsonb(new) - 'content' = to_jsonb(old) - 'content'
      and new.content = old.content - '{buyer,account,paidWith}'::text[] then
      return new;
    end if;
    raise exception 'a billing document is never changed: % refused', tg_op;
  end
$$;
create trigger never_changed before update or delete on billing_document
  for each row execute function refuse_document_change();
create trigger never_emptied before truncate on billing_document
  for each statement execute function refuse_document_change();

-- Of customers who gave one, for documents issued from then on.
create table customer_tax_id (
  workspace_id uuid primary key references workspace (id) on delete cascade,
  tax_id text not null,
  set_at timestamptz not null
);
