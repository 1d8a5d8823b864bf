import { createFakeCardGateway } from '#server/adapters/stripe/card-gateway.fake.ts';
import type { CardGateway } from '#server/adapters/stripe/card-gateway.ts';
import { createStripeGateway } from '#server/adapters/stripe/stripe-gateway.ts';
import type { Clock } from '#server/deps.ts';
import { createSandbox } from '#sandbox/sandbox.ts';
import type { BookEntry } from '../billing-books.ts';
import { seededRandom } from '../seeded.ts';
import type { TestDeps } from '../test-deps.ts';

/** The product's own adapter, over HTTP against the sandbox, whose days pass on the simulation's clock. */
export interface SandboxGateway {
  gateway: TestDeps['gateway'];
  /** The sandbox's own list of charges, which the product's adapter has no part in. */
  readBook: () => Promise<BookEntry[]>;
  close: () => Promise<void>;
}

export async function openSandboxGateway(
  clock: Pick<Clock, 'now'>,
  seed: number,
): Promise<SandboxGateway> {
  const place = { port: 0, smtpPort: 0, statePath: ':memory:', eventsUrl: '', isDemo: false };
  const sandbox = await createSandbox(
    { ...place, providerSecret: 'billing-sim-provider-secret' },
    { now: () => clock.now(), random: seededRandom(seed) },
  );
  const stripe = createStripeGateway({
    stripeUrl: `${sandbox.url}/stripe`,
    secretKey: 'sk_test_sandbox',
  });
  return {
    gateway: withFaults(stripe, (scenario) => failNextCall(sandbox.url, scenario)),
    readBook: () => readBook(sandbox.url),
    close: async () => {
      await stripe.close();
      await sandbox.close();
    },
  };
}

type Failure = Parameters<TestDeps['gateway']['queueFailure']>[0];
type Scenario = 'error' | 'error_after';

/**
 * Failures without effect and lost answers happen in the sandbox. What a bank or the gateway itself would
 * refuse for reasons of its own is answered here: the sandbox's cards decide only by their number.
 */
function withFaults(
  stripe: CardGateway,
  failNext: (scenario: Scenario) => Promise<void>,
): TestDeps['gateway'] {
  const failures: Failure[] = [];
  let lostAnswers = 0;
  const act = async <Outcome>(call: () => Promise<Outcome>): Promise<Outcome | Failure> => {
    const failure = failures.shift();
    if (failure && failure.kind !== 'unknown') return failure;
    if (failure) await failNext('error');
    else if (lostAnswers > 0) {
      lostAnswers -= 1;
      await failNext('error_after');
    }
    return call();
  };
  const ask = async <Outcome>(call: () => Promise<Outcome>): Promise<Outcome> => {
    if (failures.shift()) await failNext('error');
    return call();
  };
  return {
    // Nobody reads the book of this one.
    ...createFakeCardGateway(),
    ...stripe,
    charge: (request) => act(() => stripe.charge(request)),
    refund: (request) => act(() => stripe.refund(request)),
    findCharge: (request) => ask(() => stripe.findCharge(request)),
    findRefund: (request) => ask(() => stripe.findRefund(request)),
    queueFailure: (...more) => void failures.push(...more),
    loseAnswers: (count) => {
      lostAnswers += count;
    },
  };
}

async function failNextCall(url: string, scenario: Scenario): Promise<void> {
  const answer = await fetch(`${url}/control/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ system: 'cards', scenario, times: 1 }),
  });
  if (!answer.ok) throw new Error(`fault refused: ${await answer.text()}`);
}

interface SandboxCharge {
  idempotencyKey: string | null;
  status: string;
  amountCents: number;
  refundedCents: number;
}

async function readBook(url: string): Promise<BookEntry[]> {
  const answer = await fetch(`${url}/control/charges`);
  const charges = (await answer.json()) as SandboxCharge[];
  return charges
    .filter(({ status }) => status === 'succeeded')
    .map(({ idempotencyKey, amountCents, refundedCents }) => ({
      chargeId: idempotencyKey?.replace(/:charge$/, '') ?? '',
      amountCents,
      refundedCents,
    }));
}
