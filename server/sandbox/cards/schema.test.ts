import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { registerCards } from '../cards.ts';
import { createOutsideWorld } from '../outside-world.fake.ts';

/** As the first version kept them: a paid and a declined intent of one saved card. */
const FIRST_VERSION = `
create table card_customer (
  id text primary key, email text, name text, metadata text not null, created integer not null
);
create table card_method (
  id text primary key, customer text, brand text not null, last4 text not null,
  exp_month integer not null, exp_year integer not null, behaviour text not null,
  billing text not null, created integer not null
);
create table card_intent (
  no integer primary key, id text not null unique, customer text not null, method text not null,
  amount integer not null check (amount > 0), currency text not null, description text,
  metadata text not null, error text, idempotency_key text, created_at integer not null
);
insert into card_customer values ('cus_AAAAAAAAAAAAAAAAAAAAAAAA', 'mia@example.com', null, '{}', 1795000000);
insert into card_method values ('pm_AAAAAAAAAAAAAAAAAAAAAAAA', 'cus_AAAAAAAAAAAAAAAAAAAAAAAA', 'visa',
  '4242', 12, 2030, 'pays', '{"name":"Mia"}', 1795000000);
insert into card_intent values
  (1, 'pi_AAAAAAAAAAAAAAAAAAAAAAAA', 'cus_AAAAAAAAAAAAAAAAAAAAAAAA', 'pm_AAAAAAAAAAAAAAAAAAAAAAAA',
    1700, 'usd', null, '{"chargeId":"one"}', null, 'one', 1795000000000),
  (2, 'pi_BBBBBBBBBBBBBBBBBBBBBBBB', 'cus_AAAAAAAAAAAAAAAAAAAAAAAA', 'pm_AAAAAAAAAAAAAAAAAAAAAAAA',
    1700, 'usd', null, '{}', '{"type":"card_error","code":"card_declined"}', 'two', 1795000000001);
`;

test('a state file of the first version opens: what was paid and declined stays so', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cards-'));
  const statePath = join(folder, 'sandbox.db');
  const old = new DatabaseSync(statePath);
  old.exec(FIRST_VERSION);
  old.close();
  for (const round of [1, 2]) {
    const world = createOutsideWorld({ statePath });
    const cards = registerCards(world.app, world.ctx, { tickMs: 0 });
    const charges = await (await world.app.request('/control/charges')).json();
    expect(charges, `round ${round}`).toMatchObject([
      { id: 'pi_AAAAAAAAAAAAAAAAAAAAAAAA', status: 'succeeded', amountCents: 1700 },
      { id: 'pi_BBBBBBBBBBBBBBBBBBBBBBBB', status: 'declined' },
    ]);
    const headers = { authorization: 'Bearer sk_test_sandbox' };
    const read = async (path: string) =>
      (await world.app.request(`/v1/${path}`, { headers })).json();
    expect(await read('payment_intents/pi_BBBBBBBBBBBBBBBBBBBBBBBB')).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'card_declined' },
    });
    expect(await read('payment_methods/pm_AAAAAAAAAAAAAAAAAAAAAAAA')).toMatchObject({
      card: { last4: '4242' },
      billing_details: { name: 'Mia' },
    });
    await cards.close();
    world.drop();
  }
  rmSync(folder, { recursive: true });
});
