import { createFakeCardGateway } from '#server/adapters/stripe/card-gateway.fake.ts';
import type { CardGateway } from '#server/adapters/stripe/card-gateway.ts';
import { createStripeGateway } from '#server/adapters/stripe/stripe-gateway.ts';
import type { Clock } from '#server/kit/deps.ts';
import { createSandbox } from '#sandbox/sandbox.ts';
import { controlSandbox } from '../delivery/control-sandbox.ts';
import type { BookEntry } from '../money/billing-books.ts';
import { seededRandom } from '../seeded.ts';
import type { TestDeps } from '../test-deps.ts';
import type { SimBank, SimDashboard, SimWorld } from './sim-world.ts';

/** The product's own adapter, over HTTP against the sandbox, whose days pass on the simulation's clock. */
interface SandboxGateway extends Pick<SimWorld, 'bank' | 'dashboard'> {
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
    bank: openBank(sandbox.url),
    dashboard: openDashboard(sandbox.url),
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
  await mustPost(url, 'faults', { system: 'cards', scenario, times: 1 });
}

function post(url: string, path: string, body: object): Promise<Response> {
  return fetch(`${url}/control/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function mustPost(url: string, path: string, body: object): Promise<{ id?: string }> {
  return (await controlSandbox(url, 'POST', path, body)) as { id?: string };
}

function openBank(url: string): SimBank {
  const decide = async (id: string, decision: 'confirm' | 'refuse'): Promise<boolean> => {
    const answer = await post(url, `bank/${id}`, { decision });
    await answer.body?.cancel();
    return answer.ok;
  };
  return {
    confirm: (id) => decide(id, 'confirm'),
    refuse: (id) => decide(id, 'refuse'),
    async enterCard(pageId, { number, name, month, year }) {
      const expiry = `${month} / ${year % 100}`;
      const typed = { number, expiry, code: '123', name };
      const place = {
        line1: '1 Main St',
        city: 'Springfield',
        postal_code: '12345',
        country: 'US',
      };
      const body = new URLSearchParams({ ...typed, ...place });
      const page = `${url}/pay/${pageId}`;
      const answer = await fetch(page, { method: 'POST', body, redirect: 'manual' });
      await answer.body?.cancel();
    },
  };
}

function openDashboard(url: string): SimDashboard {
  return {
    async readLeft(chargeId) {
      const charge = (await listCharges(url)).find(({ id }) => id === chargeId);
      return charge ? charge.amountCents - charge.refundedCents : 0;
    },
    async openDispute(charge, { amountCents, state }) {
      const status = state === 'open' ? 'needs_response' : 'warning_needs_response';
      const { id = '' } = await mustPost(url, 'disputes', { charge, amountCents, status });
      return id;
    },
    changeDispute: async (id, status) => void (await mustPost(url, `disputes/${id}`, { status })),
    refund: async (charge, amountCents) =>
      void (await mustPost(url, 'refunds', { charge, amountCents })),
  };
}

interface SandboxCharge {
  id: string;
  idempotencyKey: string | null;
  status: string;
  amountCents: number;
  refundedCents: number;
}

async function listCharges(url: string): Promise<SandboxCharge[]> {
  const answer = await fetch(`${url}/control/charges`);
  return (await answer.json()) as SandboxCharge[];
}

/** What a sandbox's gateway has charged. */
export async function readBook(url: string): Promise<BookEntry[]> {
  return (await listCharges(url))
    .filter(({ status }) => status === 'succeeded')
    .map(({ idempotencyKey, amountCents, refundedCents }) => ({
      chargeId: idempotencyKey?.replace(/:charge$/, '') ?? '',
      amountCents,
      refundedCents,
    }));
}
