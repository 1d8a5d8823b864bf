import { sql } from 'kysely';
import { createFakeImageSource } from '#server/adapters/images/image-source.fake.ts';
import { createFakeSocialNetwork } from '#server/adapters/graph/social-network.fake.ts';
import { createFakeMailer } from '#server/adapters/mail/mailer.fake.ts';
import { createFakeDeliveryProvider } from '#server/adapters/provider/delivery-provider.fake.ts';
import { createFakePushSender } from '#server/adapters/push/push-sender.fake.ts';
import type { CardGateway } from '#server/adapters/stripe/card-gateway.ts';
import { createStripeGateway } from '#server/adapters/stripe/stripe-gateway.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Deps } from '#server/kit/deps.ts';
import { openPostgres } from '#server/kit/db/postgres.ts';
import { createLog } from '#server/kit/log.ts';
import type { Settings } from '#server/kit/settings.ts';
import { systemIds, systemRandom } from '#server/main/system.ts';
import { enterCardElsewhere } from '#server/money/payments/billing-info.service.ts';
import {
  settleDueCardSetups,
  settleDueCharges,
} from '#server/money/payments/charge-janitor.job.ts';
import { findPaymentState } from '#server/money/payments/payment-state.service.ts';
import { runBulk } from '#server/use-cases/bulk/bulk.job.ts';
import { createCardReplacer, createNode, payerOf, type Shopper } from '../checkout-fixture.ts';
import { dyingDeps, Lifetime } from './dying-process.ts';
import { FakeClock } from '../fake-clock.ts';
import { createPlanChanger } from '../money/plan-changer.ts';
import { seededRandom } from '../seeded.ts';

/** What a process of its own does, and after how many of its steps it is killed (SIGKILL). */
export interface PaymentWork {
  /** `bulk`: a twentieth of its charges isn't answered, and half of those is done. */
  work: 'checkout' | 'change' | 'replace' | 'page' | 'look' | 'give_up' | 'janitor' | 'bulk';
  dieAfter: number;
  databaseUrl: string;
  stripeUrl: string;
  /** ISO 8601. */
  now: string;
  settings: Settings;
  shopper: Shopper;
  changes: object;
  /** Of a charge or a card set-up. */
  paymentId: string;
  quoteId: string;
  /** Whose charges of `bulk` the gateway refuses: a pattern of the account's name. */
  refused?: string;
  /** What else the network shows. */
  accounts?: ReadonlyArray<{ igUsername: string; igId: string }>;
}

/** A server's or worker's process of the payment crash test: `WORK` is a `PaymentWork` as JSON. */
const asked = JSON.parse(process.env['WORK'] ?? '') as PaymentWork;
const { shopper, settings, paymentId } = asked;
const clock = new FakeClock(asked.now);
const network = createFakeSocialNetwork({ now: () => clock.now() });
network.addAccount(shopper.igUsername);
for (const { igUsername, igId } of asked.accounts ?? []) network.addAccount(igUsername, { igId });
const node: Deps = {
  clock,
  ids: systemIds,
  random: systemRandom,
  log: createLog(
    'error',
    (line) => process.stderr.write(`${line}\n`),
    () => clock.now(),
  ),
  database: openPostgres(asked.databaseUrl, { connections: 4, onError: () => undefined }),
  network,
  provider: createFakeDeliveryProvider(),
  gateway: createStripeGateway({ stripeUrl: asked.stripeUrl, secretKey: 'sk_test_sandbox' }),
  imageSource: createFakeImageSource(),
  mailer: createFakeMailer(),
  pushSender: createFakePushSender(),
  settings,
};

const lifetime = new Lifetime(asked.dieAfter, () => process.kill(process.pid, 'SIGKILL'));
const dying = dyingDeps(node, lifetime);
const payer = payerOf(dying, shopper.session);
const WORKS: Record<PaymentWork['work'], () => Promise<unknown>> = {
  checkout: () => createNode(dying)(shopper, 'form', asked.changes),
  change: () => createPlanChanger(dying).change(shopper, asked.quoteId),
  replace: () => createCardReplacer(dying)(shopper, asked.changes),
  page: () => enterCardElsewhere(dying, payer),
  look: () => findPaymentState(dying, payer, paymentId),
  give_up: () => findPaymentState(dying, payer, paymentId, 'given_up'),
  janitor: async () => {
    await settleDueCharges(dying);
    await settleDueCardSetups(dying);
  },
  bulk: async () => {
    const worker = { ...dying, gateway: failing(dying.gateway) };
    while ((await runBulk(worker)) === 'again') continue;
    while ((await settleDueCharges(worker)) === 'again') continue;
  },
};
// That the bank asks is an answer as any.
await WORKS[asked.work]().catch((error: unknown) => {
  if (!(error instanceof ApiError && error.code === 'payment_needs_action')) throw error;
});
process.stdout.write(`done in ${lifetime.steps} steps\n`);
process.exit(0);

async function payingFor(chargeId: string): Promise<string> {
  const { name } = await node.database.db
    .selectFrom('charge')
    .innerJoin('invoice', 'invoice.id', 'charge.invoice_id')
    .innerJoin('account', (join) =>
      join.on(sql<boolean>`account.id::text = invoice.checkout->>'accountId'`),
    )
    .where('charge.id', '=', chargeId)
    .select('account.ig_username as name')
    .executeTakeFirstOrThrow();
  return name;
}

function failing(gateway: CardGateway): CardGateway {
  const refused = new RegExp(asked.refused ?? '$.');
  const random = seededRandom(asked.dieAfter);
  const charge: CardGateway['charge'] = async (request) => {
    if (refused.test(await payingFor(request.chargeId)))
      return { kind: 'rejected', reason: 'planted' };
    if (random() < 0.95) return gateway.charge(request);
    if (random() < 0.5) await gateway.charge(request);
    return { kind: 'unknown', reason: 'planted' };
  };
  return { ...gateway, charge };
}
