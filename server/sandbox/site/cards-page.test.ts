import { afterEach, beforeEach, expect, test } from 'vitest';
import { createGatewayWorld, type GatewayWorld } from '../cards/stripe-client.fake.ts';

let gateway: GatewayWorld;
beforeEach(async () => {
  // Nobody is there, so events wait.
  gateway = await createGatewayWorld({ eventsUrl: 'http://127.0.0.1:9' });
});
afterEach(() => gateway.stop());

const html = async (): Promise<string> => (await gateway.world.app.request('/cards')).text();

/** The page's words, without its markup. */
async function panel(): Promise<string> {
  const page = await html();
  const main = page.slice(page.indexOf('<main'), page.indexOf('</main>'));
  return main.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
}

const press = async (path: string, fields: Record<string, string>): Promise<number> => {
  const body = new URLSearchParams(fields);
  return (await gateway.world.app.request(`/cards${path}`, { method: 'POST', body })).status;
};

test('the page shows what waits for a bank, takes its answer, and lists the events', async () => {
  const { stripe } = gateway;
  expect(await panel()).toContain('No payments yet.');
  const saved = await gateway.savedCard('4000002760003184');
  const asked = { ...saved, amount: 2400, currency: 'usd', confirm: true };
  const [one, two] = [
    await stripe.paymentIntents.create(asked),
    await stripe.paymentIntents.create(asked),
  ];
  const setUp = await stripe.setupIntents.create({ ...saved, confirm: true });
  expect(await panel()).toMatch(/\$24\.00 waits for its bank .* The bank’s page Confirm Refuse/);
  expect(await panel()).toContain(`Card requires action ${setUp.id}`);
  expect(await press(`/bank/${one.id}`, { decision: 'confirm' })).toBe(303);
  expect(await press(`/bank/${two.id}`, { decision: 'refuse' })).toBe(303);
  expect(await press(`/bank/${setUp.id}`, { decision: 'confirm' })).toBe(303);
  expect(await press(`/bank/${one.id}`, { decision: 'confirm' })).toBe(400);
  expect(await press('/disputes', { charge: one.id })).toBe(303);
  await gateway.tick();
  const shown = await panel();
  expect(shown).toContain('$24.00 paid');
  expect(shown).toContain('$24.00 declined');
  expect(shown).toContain('Dispute of $24.00: needs response The product wins The customer wins');
  expect(shown).toContain(`Card succeeded ${setUp.id}`);
  expect(shown).toMatch(/charge\.dispute\.created waiting \(last answer: no answer\)/);
  expect(shown).toMatch(/payment_intent\.requires_action waiting/);
  const buttons = [
    ...(await html()).matchAll(/disputes\/\w+"|name="status" value="\w+"|The \w+ wins/g),
  ].map(([each]) => each);
  const [action = ''] = buttons;
  const decides = (status: string, winner: string): string[] => [
    action,
    `name="status" value="${status}"`,
    `The ${winner} wins`,
  ];
  expect(buttons).toEqual([...decides('won', 'product'), ...decides('lost', 'customer')]);
  expect(await press(`/${action.slice(0, -1)}`, { status: 'won' })).toBe(303);
  expect(await panel()).toContain('Dispute of $24.00: won');
});
