import { createFakeImageSource } from '#server/adapters/images/image-source.fake.ts';
import { createFakeSocialNetwork } from '#server/adapters/graph/social-network.fake.ts';
import { createFakeMailer } from '#server/adapters/mail/mailer.fake.ts';
import { createFakeDeliveryProvider } from '#server/adapters/provider/delivery-provider.fake.ts';
import { createFakePushSender } from '#server/adapters/push/push-sender.fake.ts';
import { createStripeGateway } from '#server/adapters/stripe/stripe-gateway.ts';
import type { Deps } from '#server/kit/deps.ts';
import { openPostgres } from '#server/kit/db/postgres.ts';
import { createLog } from '#server/kit/log.ts';
import type { Settings } from '#server/kit/settings.ts';
import { systemIds, systemRandom } from '#server/main/system.ts';
import { settleDueCharges } from '#server/money/charges/charge-janitor.job.ts';
import { findPaymentState } from '#server/money/checkout/payment-state.service.ts';
import { createNode, payerOf, type Shopper } from './checkout-fixture.ts';
import { dyingDeps, Lifetime } from './dying-process.ts';
import { FakeClock } from './fake-clock.ts';

/** What a process of its own does, and after how many of its steps it is killed (SIGKILL). */
export interface PaymentWork {
  work: 'checkout' | 'look' | 'give_up' | 'janitor';
  dieAfter: number;
  databaseUrl: string;
  stripeUrl: string;
  /** ISO 8601. */
  now: string;
  settings: Settings;
  shopper: Shopper;
  changes: object;
  chargeId: string;
}

/** A server's or worker's process of the payment crash test: `WORK` is a `PaymentWork` as JSON. */
const asked = JSON.parse(process.env['WORK'] ?? '') as PaymentWork;
const { shopper, settings, chargeId } = asked;
const clock = new FakeClock(asked.now);
const network = createFakeSocialNetwork({ now: () => clock.now() });
network.addAccount(shopper.igUsername);
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
  look: () => findPaymentState(dying, payer, chargeId),
  give_up: () => findPaymentState(dying, payer, chargeId, 'given_up'),
  janitor: () => settleDueCharges(dying),
};
await WORKS[asked.work]();
process.stdout.write(`done in ${lifetime.steps} steps\n`);
process.exit(0);
