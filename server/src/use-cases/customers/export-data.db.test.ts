import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { EXPORTED } from './export-data.repository.ts';

/** Tables with a customer's rows that no document has, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  attempt: 'answers to calls, kept for 30 days in case one is asked again',
  audit_head: 'the end of the chain, which the audit section has',
  audit_notice: 'becomes a part of the audit within a minute',
  automatic_slot: 'which post of a day took its place; the like orders have it',
  budget_notice: 'whether a mail about a budget was sent; the mails have it',
  card_detachment: 'what the gateway is still asked to forget',
  card_setup: 'a card that is being entered; once it is kept the cards have it',
  client_order: 'which client an order was for; the accounts have it',
  customer_request: 'what the gateway is still asked',
  email_directory: 'the address of the user section, to look it up by',
  gateway_customer: "the gateway's number of a customer",
  member_raise: 'what of a limit a raised plan holds until it is charged',
  network_owner: 'a keyed hash of an account whose owner has proved it',
  network_subscription: 'which of the subscriptions an account has now',
  plan_quote: 'a price that stood for some minutes',
  poll_schedule: 'when an account is looked at next',
  refund_request_account: 'a keyed hash of an account that had its money back',
  refund_request_card: 'a keyed hash of a card that had its money back',
  subscription_interval: 'what the days of the plans are made from',
  sync_client: 'how far a device has heard',
  sync_head: 'how far a scope has come',
  sync_mutation: 'answers to changes, in case a device asks again',
  sync_row: 'the version of each row that the other sections have',
};

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());

test('every table with rows of a customer is in the document, or left out for a reason', async () => {
  const { rows } = await sql<{ name: string }>`
    select distinct table_name as name from information_schema.columns
    where table_schema = 'public' and column_name in ('workspace_id', 'user_id')`.execute(
    deps.database.db,
  );
  const missing = rows.map(({ name }) => name).filter((name) => !isExported(name));
  expect(missing.sort()).toEqual(Object.keys(LEFT_OUT).sort());
});

const isExported = (name: string): boolean => (EXPORTED as ReadonlySet<string>).has(name);
