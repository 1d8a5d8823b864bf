import { expect, test } from 'vitest';
import { getPlan } from '#shared/domain/money/plans.ts';
import { addAccount } from '#server/network/accounts/add-account.service.ts';
import { compareBooks } from '#test/money/billing-books.ts';
import { readBook } from '#test/billing-sim/sandbox-gateway.ts';
import { killBulkWorkers, listPages, planPages } from '#test/processes/killed-bulk.ts';
import { patiently } from '#test/patience.ts';
import { openPaymentWorld } from '#test/processes/payment-world.ts';
import { newSubscriber } from '#test/money/subscription-fixture.ts';
import { startBulk, viewBulk } from './bulk.service.ts';

/** `FIRST_PLANS=500` for as many as one operation may begin. */
const ACCOUNTS = Number(process.env['FIRST_PLANS'] ?? 10);
/** A tenth of the accounts each: the gateway refuses the charge; the network no longer shows them. */
const REFUSED = /5$/;
const HIDDEN = /7$/;
const LONG_MS = 600_000;
const { number: PLAN, priceCents: CENTS } = getPlan(4);

const { world, deps, isKilled } = await openPaymentWorld();

test(
  `${ACCOUNTS} first plans begin once each or are listed, with a tenth of the charges failing and workers killed`,
  async () => {
    const shopper = await newSubscriber(deps, 'agency');
    const { session } = shopper;
    const { db } = deps.database;
    const accounts = Array.from({ length: ACCOUNTS }, (_, nr) => ({
      igUsername: `first.plan.${String(nr).padStart(4, '0')}`,
      igId: `8${String(nr).padStart(16, '0')}`,
    }));
    for (const { igUsername, igId } of accounts) {
      deps.network.addAccount(igUsername, { igId });
      // So many a minute are looked up.
      deps.clock.advance(1500);
      await addAccount(deps, { ...session, igUsername });
    }
    const { operationId, ...shown } = await planPages(
      deps,
      session,
      accounts.map(({ igUsername }) => igUsername),
      { kind: 'plan', packageIndex: PLAN, timeZone: 'Europe/Vienna' },
    );
    expect(shown).toMatchObject({ planned: ACCOUNTS, today: ACCOUNTS * CENTS });
    await startBulk(deps, session, { operationId, ...shown, today: shown.today / 100 });

    const visible = accounts.filter(({ igUsername }) => !HIDDEN.test(igUsername));
    const scene = { shopper, refused: REFUSED.source, accounts: visible };
    const play = { scene, lives: [30, 120] as const, seed: 56 };
    const deaths = await killBulkWorkers({ deps, isKilled }, session, play);
    expect(deaths).toBeGreaterThan(3);

    const listed = await listPages(deps, session, operationId);
    const isAsWanted = ({ igUsername }: { igUsername: string }): boolean => {
      const reason = listed.get(igUsername);
      if (HIDDEN.test(igUsername))
        return reason?.startsWith(`We can’t read @${igUsername}`) === true;
      if (!REFUSED.test(igUsername)) return reason === undefined;
      return (
        reason?.startsWith('Payments aren’t working right now. You were not charged.') === true
      );
    };
    expect(accounts.filter((account) => !isAsWanted(account))).toEqual([]);
    const begun = ACCOUNTS - listed.size;
    const [operation] = await viewBulk(deps, session);
    const today = (begun * CENTS) / 100;
    expect(operation).toMatchObject({ done: begun, failed: listed.size, today, month: today });

    const plans = await db
      .selectFrom('subscription')
      .innerJoin('account', 'account.id', 'subscription.account_id')
      .leftJoin('invoice', 'invoice.subscription_id', 'subscription.id')
      .leftJoin('charge', (join) =>
        join.onRef('charge.invoice_id', '=', 'invoice.id').on('charge.state', '=', 'succeeded'),
      )
      .where('account.ig_username', 'like', 'first.plan.%')
      .groupBy(['account.ig_username', 'subscription.id', 'subscription.state'])
      .select(({ fn }) => [
        'account.ig_username as name',
        'subscription.state as state',
        fn.count<number>('charge.id').as('payments'),
      ])
      .execute();
    expect(plans.map(({ name }) => name).toSorted((a, b) => a.localeCompare(b))).toEqual(
      accounts.flatMap(({ igUsername }) => (listed.has(igUsername) ? [] : [igUsername])),
    );
    expect(plans.filter((row) => row.state !== 'Active' || String(row.payments) !== '1')).toEqual(
      [],
    );
    const book = await readBook(world.url);
    expect((await compareBooks(deps, book)).violations).toEqual([]);
    const { paid } = await db
      .selectFrom('charge')
      .where('state', '=', 'succeeded')
      .where('amount_cents', '=', CENTS)
      .select(({ fn }) => fn.sum<number>('amount_cents').as('paid'))
      .executeTakeFirstOrThrow();
    expect(String(paid)).toBe(String(begun * CENTS));
  },
  patiently(LONG_MS),
);
