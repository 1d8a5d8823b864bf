import { expect, test } from 'vitest';
import { compareBooks } from '#test/money/billing-books.ts';
import { readBook } from '#test/billing-sim/sandbox-gateway.ts';
import { killBulkWorkers, listPages, planPages } from '#test/processes/killed-bulk.ts';
import { patiently } from '#test/patience.ts';
import { openPaymentWorld } from '#test/processes/payment-world.ts';
import { plantLargeWorkspace } from '#server/main/start/plant-workspace.ts';
import { newSubscriber } from '#test/money/subscription-fixture.ts';
import { startBulk, viewBulk } from './bulk.service.ts';

/** `BULK_PLANS=1000` for a fifth of what one operation may have. */
const ACCOUNTS = Number(process.env['BULK_PLANS'] ?? 20);
/** Every twentieth planted account: the gateway refuses its charge. */
const REFUSED = /planted\.account\.\d\d[02468]0/;
const LONG_MS = 600_000;

const { world, deps, isKilled } = await openPaymentWorld();

test(
  `${ACCOUNTS} plans are changed once each or listed, with a tenth of the charges failing and workers killed`,
  async () => {
    const shopper = await newSubscriber(deps, 'agency');
    const { session } = shopper;
    const { db } = deps.database;
    const size = { accounts: ACCOUNTS - 1, posts: 0, minutesApart: 1, postsPerOrder: 1 };
    await plantLargeWorkspace(deps.database, session.workspaceId, size, deps.clock.now());
    const names = await db.selectFrom('account').select('ig_username').orderBy('id').execute();
    const { operationId, ...shown } = await planPages(
      deps,
      session,
      names.map(({ ig_username: name }) => name),
      { kind: 'plan', packageIndex: 9 },
    );
    expect(shown.planned).toBe(ACCOUNTS);
    await startBulk(deps, session, { operationId, ...shown, today: shown.today / 100 });

    const scene = { shopper, refused: REFUSED.source };
    const play = { scene, lives: [20, 100] as const, seed: 16 };
    const deaths = await killBulkWorkers({ deps, isKilled }, session, play);

    expect(deaths).toBeGreaterThan(3);
    const [operation] = await viewBulk(deps, session);
    const listed = await listPages(deps, session, operationId);
    const unavailable =
      'Payments aren’t working right now. You were not charged. Please try again in a few minutes.';
    expect(new Set(listed.values())).toEqual(new Set([unavailable]));
    const refused = names.filter(({ ig_username: name }) => REFUSED.test(name));
    expect([...listed.keys()].toSorted()).toEqual(
      refused.map(({ ig_username: name }) => name).toSorted(),
    );
    expect(operation).toMatchObject({ done: ACCOUNTS - listed.size, failed: listed.size });
    const plans = await db
      .selectFrom('account')
      .innerJoin('subscription', 'subscription.account_id', 'account.id')
      .leftJoin('invoice', (join) =>
        join
          .onRef('invoice.subscription_id', '=', 'subscription.id')
          .on('invoice.description', 'like', 'Plan change%'),
      )
      .leftJoin('charge', (join) =>
        join.onRef('charge.invoice_id', '=', 'invoice.id').on('charge.state', '=', 'succeeded'),
      )
      .groupBy(['account.ig_username', 'subscription.package'])
      .select(({ fn }) => [
        'account.ig_username as name',
        'subscription.package as plan',
        fn.count<number>('charge.id').as('payments'),
      ])
      .execute();
    expect(plans).toHaveLength(ACCOUNTS);
    const wrong = plans.filter(
      ({ name, plan, payments }) =>
        (plan === 9) === listed.has(name) || String(payments) !== (listed.has(name) ? '0' : '1'),
    );
    expect(wrong).toEqual([]);
    expect((await compareBooks(deps, await readBook(world.url))).violations).toEqual([]);
    const { paid } = await db
      .selectFrom('charge')
      .innerJoin('invoice', 'invoice.id', 'charge.invoice_id')
      .where('charge.state', '=', 'succeeded')
      .where('invoice.description', 'like', 'Plan change%')
      .select(({ fn }) => fn.sum<number>('charge.amount_cents').as('paid'))
      .executeTakeFirstOrThrow();
    expect(String(paid)).toBe(String(Math.round((operation?.today ?? 0) * 100)));
  },
  patiently(LONG_MS),
);
