import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Database } from '#server/kit/db/database.ts';
import { checkCharges } from '#server/ops/invariants/charges.ts';
import {
  ASKING_CARD,
  booksOf,
  chargesOf,
  NOTHING,
  PAID_ONCE,
  RETURNED,
} from '#test/money/checkout-books.ts';
import { createNode, newShopper, type Shopper } from '#test/checkout-fixture.ts';
import { describePlayed, playAllOrders, type Race } from '#test/interleaving/play-all-orders.ts';
import { endAll } from '#test/money/subscription-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { settleDueCharges } from '../payments/charge-janitor.job.ts';
import { giveUpCharge, resumeCharge } from '../settlement/collect-charge.service.ts';

/** Two who want one network account, in every order of their statements: one has it, or none. */
let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterEach(() => endAll(deps));
afterAll(() => deps.database.close());

const BEGIN = '2027-01-01T12:00:00Z';

interface Waiting {
  shopper: Shopper;
  gatewayId: string;
  key: { workspaceId: Shopper['session']['workspaceId']; chargeId: string };
}
type Rivals = readonly [Waiting, Waiting];

async function waits(shopper: Shopper): Promise<Waiting> {
  await createNode(deps)(shopper, 'form', ASKING_CARD);
  const [charge] = await chargesOf(deps, shopper);
  const key = { workspaceId: shopper.session.workspaceId, chargeId: charge?.id ?? '' };
  return { shopper, gatewayId: charge?.gateway_charge_id ?? '', key };
}

/** Both wait at their banks for the same account. */
async function rivals(name: string): Promise<Rivals> {
  deps.clock.set(BEGIN);
  const first = await waits(await newShopper(deps, name));
  const second = await waits(await newShopper(deps, name, { onNetwork: false }));
  deps.clock.advance(10_000);
  return [first, second];
}

const nodeOn = (database: Database): TestDeps => ({
  ...deps,
  database: { ...deps.database, ...database },
});

const yes =
  (who: 0 | 1) =>
  async (database: Database, scene: Rivals): Promise<void> => {
    deps.gateway.confirmAtBank(scene[who].gatewayId);
    await resumeCharge(nodeOn(database), scene[who].key);
  };

/** Plays it; who has the account afterwards, in words. */
async function play(what: string, race: Pick<Race<Rivals>, 'sides' | 'rewriteFirst'>) {
  const ends = new Set<string>();
  const played = await playAllOrders<Rivals>(deps.database, {
    ...race,
    // All else is their workspaces’ own.
    meetIn: ['network_subscription', 'subscription'],
    scene: (nth) => rivals(`${what.replaceAll(/\W+/g, '_')}${nth}`),
    check: async (scene) => {
      for (let round = 0; round < 3; round += 1) {
        await settleDueCharges(deps);
        deps.clock.advance(40 * 60_000);
      }
      const books = await Promise.all(scene.map(({ shopper }) => booksOf(deps, shopper)));
      const words = books.map((book) =>
        book.subscriptions === 1 ? 'has' : book.charged === 1 ? 'returned' : 'nothing',
      );
      const wanted = { has: PAID_ONCE, returned: RETURNED, nothing: NOTHING } as const;
      expect(books).toEqual(words.map((word) => wanted[word]));
      ends.add(words.join(', '));
      expect(await checkCharges(deps.database.db, deps.gateway, new Date(BEGIN))).toEqual([]);
      await endAll(deps);
    },
  });
  process.stdout.write(describePlayed(what, played));
  expect(played.schedules).toBeGreaterThan(1);
  return [...ends].sort();
}

test('two yeses for one account: one has it, the other’s money goes back', async () => {
  const sides = [yes(0), yes(1)] as const;
  expect(await play('two yeses', { sides })).toEqual(['has, returned', 'returned, has']);
});

test('who takes the account from another without holding it is caught', async () => {
  const rewriteFirst = (text: string): string =>
    text.includes('network_subscription') ? text.replace(/ for update$/, '') : text;
  const race = { sides: [yes(1), yes(0)] as const, rewriteFirst };
  await expect(play('unheld', race)).rejects.toThrow('After schedule');
});

test('a yes beside the giving up of who came first: it has the account', async () => {
  const giveUp = (database: Database, [first]: Rivals) => giveUpCharge(nodeOn(database), first.key);
  const sides = [giveUp, yes(1)] as const;
  expect(await play('yes and give up', { sides })).toEqual(['nothing, has']);
});

test('checkouts that begin beside the yes of who waits: one has the account, the others pay nothing in the end', async () => {
  for (let round = 0; round < 4; round += 1) {
    deps.clock.set(BEGIN);
    const name = `begins_${round}`;
    const waiting = await waits(await newShopper(deps, name));
    const others = await Promise.all(
      Array.from({ length: 4 }, () => newShopper(deps, name, { onNetwork: false })),
    );
    deps.clock.advance(10_000);
    await Promise.all([
      yes(0)(deps.database, [waiting, waiting]),
      ...others.map((other) => createNode(deps)(other, 'form')),
    ]);
    await settleDueCharges(deps);
    const books = await Promise.all(
      [waiting.shopper, ...others].map((shopper) => booksOf(deps, shopper)),
    );
    expect(books.filter((book) => book.subscriptions === 1)).toEqual([PAID_ONCE]);
    const kept = books.map(({ charged, refundedCents }) => charged * 1700 - refundedCents);
    expect(kept.toSorted((a, b) => a - b)).toEqual([0, 0, 0, 0, 1700]);
    await endAll(deps);
  }
  expect(await checkCharges(deps.database.db, deps.gateway, new Date(BEGIN))).toEqual([]);
});
