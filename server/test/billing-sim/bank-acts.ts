import type { Shopper } from '../checkout-fixture.ts';
import type { TestDeps } from '../test-deps.ts';
import { pickNumber, type SimWorld } from './sim-world.ts';

/** All customers pay with one number; without a fingerprint each has a card of their own. */
export function withOwnCards(gateway: TestDeps['gateway']): TestDeps['gateway'] {
  return {
    ...gateway,
    async saveCard(request) {
      const outcome = await gateway.saveCard(request);
      return outcome.kind === 'done' ? { ...outcome, fingerprint: undefined } : outcome;
    },
    async listDisputes(request) {
      const listed = await gateway.listDisputes(request);
      if (listed.kind !== 'listed') return listed;
      const disputes = listed.disputes.map((each) => ({ ...each, fingerprint: undefined }));
      return { ...listed, disputes };
    },
  };
}

/** What happens at the gateway in memory. */
export function actorsOf(gateway: TestDeps['gateway']): Pick<SimWorld, 'bank' | 'dashboard'> {
  return {
    bank: {
      confirm: (id) => Promise.resolve(gateway.confirmAtBank(id)),
      refuse: (id) => Promise.resolve(gateway.refuseAtBank(id)),
      enterCard: (id, card) => Promise.resolve(gateway.enterCard(id, card)),
    },
    dashboard: {
      readLeft: (id) => {
        const charge = gateway.chargesById.get(id);
        return Promise.resolve(charge ? charge.request.amountCents - charge.refundedCents : 0);
      },
      openDispute: (id, dispute) => Promise.resolve(gateway.openDispute(id, dispute)),
      changeDispute: (id, state) => Promise.resolve(gateway.changeDispute(id, state)),
      refund: (id, amountCents) => {
        gateway.refundInDashboard(id, amountCents);
        return Promise.resolve();
      },
    },
  };
}

/** A payment of a customer that no bank has called back, and what is left of it. */
async function pickPayment(
  { deps, dashboard, openDisputes, random }: SimWorld,
  { session }: Shopper,
): Promise<{ id: string; leftCents: number } | undefined> {
  const rows = await deps.database.db
    .selectFrom('charge')
    .select(['id', 'gateway_charge_id'])
    .where('workspace_id', '=', session.workspaceId)
    .where('state', '=', 'succeeded')
    .where((of) =>
      of.not(
        of.exists(
          of
            .selectFrom('dispute')
            .select('dispute.id')
            .whereRef('dispute.workspace_id', '=', 'charge.workspace_id')
            .whereRef('dispute.charge_id', '=', 'charge.id'),
        ),
      ),
    )
    .orderBy('id')
    .execute();
  // Of the latest the product hasn't heard.
  const disputed = new Set<string | null>(openDisputes.map(({ chargeId }) => chargeId));
  const free = rows.filter((row) => !disputed.has(row.gateway_charge_id));
  const picked = free[Math.floor(random() * free.length)];
  const id = picked?.gateway_charge_id;
  const leftCents = id ? await dashboard.readLeft(id) : 0;
  return id && leftCents > 0 ? { id, leftCents } : undefined;
}

/** The bank calls a payment back, all or a part, or only asks about it. */
export async function dispute(world: SimWorld, shopper: Shopper): Promise<string | undefined> {
  const { dashboard, openDisputes, random } = world;
  const payment = await pickPayment(world, shopper);
  if (!payment) return 'nothing';
  const amountCents = random() < 0.8 ? payment.leftCents : pickNumber(random, 1, payment.leftCents);
  const state = random() < 0.8 ? 'open' : 'inquiry';
  const id = await dashboard.openDispute(payment.id, { amountCents, state });
  openDisputes.push({ id, chargeId: payment.id });
  return undefined;
}

/** Somebody gives money back at the gateway, all that is left or a part. */
export async function refundInDashboard(
  world: SimWorld,
  shopper: Shopper,
): Promise<string | undefined> {
  const { dashboard, random } = world;
  const payment = await pickPayment(world, shopper);
  if (!payment) return 'nothing';
  await dashboard.refund(
    payment.id,
    random() < 0.5 ? undefined : pickNumber(random, 1, payment.leftCents),
  );
  return undefined;
}

/**
 * Banks go on with some of what they have begun; at the end with all of it. What they only asked about is over once
 * all of it went back.
 */
export async function decideDisputes(
  { dashboard, openDisputes, random, count }: SimWorld,
  isEnd = false,
): Promise<void> {
  for (const open of openDisputes.splice(0)) {
    const { id, chargeId } = open;
    const dice = random();
    if (!isEnd && dice > 0.2) {
      openDisputes.push(open);
      continue;
    }
    if ((await dashboard.readLeft(chargeId)) === 0) {
      count('inquiry: paid back');
      continue;
    }
    const state = dice % 0.05 < 0.01 ? 'lost' : 'won';
    await dashboard.changeDispute(id, state);
    count(`dispute ${state}`);
  }
}
