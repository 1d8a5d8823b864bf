import { afterAll, expect } from 'vitest';
import { createStripeGateway } from '#server/adapters/stripe/stripe-gateway.ts';
import { systemIds } from '#server/main/system.ts';
import { bundled } from './bundled.ts';
import { ASKING_CARD } from '../money/checkout-books.ts';
import type { Shopper } from '../checkout-fixture.ts';
import type { PaymentWork } from './payment-process.ts';
import { startProcess } from './process.ts';
import { openSandboxWorld, type SandboxWorld } from '../delivery/sandbox-world.ts';
import { createTestDeps, type TestDeps } from '../test-deps.ts';

/** As many processes as cores are likely to be there. */
export const CONCURRENCY = 2;
/** `KILLS_EVERY=1` kills after each step; the files named `-crash` do so without processes. */
const KILLS_EVERY = Number(process.env['KILLS_EVERY'] ?? 11);
/** Between the first step and the next one, so that a process of a short work is killed inside it. */
const FIRST_KILL = Math.min(3, Math.floor(KILLS_EVERY / 2));

/** What is particular to one process: whom it is about, and what of its work isn't the usual. */
interface PaymentScene {
  shopper: Shopper;
  /** Of a charge or a card set-up. */
  paymentId?: string;
  quoteId?: string;
  changes?: object;
  refused?: string;
  accounts?: NonNullable<PaymentWork['accounts']>;
}

interface Scenes<Scene extends PaymentScene> {
  /** A worker takes whatever is due: one at a time. */
  concurrency: number;
  begin: (n: number) => Promise<Scene>;
  /** `turn`: how many were checked before, so that they can end in turns. */
  check: (scene: Scene, n: number, turn: number) => Promise<void>;
}

/** A database, and the sandbox's gateway over HTTP, for processes that are killed (SIGKILL) on their way. */
interface PaymentWorld {
  world: SandboxWorld;
  deps: TestDeps;
  /** @returns whether the process was killed; if not, it came to its end */
  isKilled: (work: PaymentWork['work'], dieAfter: number, scene: PaymentScene) => Promise<boolean>;
  /** Kills a process after each so many of its steps, until one lives. @returns how many steps that one was given */
  killEverywhere: <Scene extends PaymentScene>(
    work: PaymentWork['work'],
    scenes: Scenes<Scene>,
  ) => Promise<number>;
}

/** The one of a test file, closed after its last test. */
export async function openPaymentWorld(): Promise<PaymentWorld> {
  const opened = await openWorld();
  afterAll(() => opened.close());
  return opened;
}

async function openWorld(): Promise<PaymentWorld & { close: () => Promise<void> }> {
  const test = await createTestDeps();
  // What the gateway lets end by itself ends by the clock of the test.
  const world = await openSandboxWorld('', () => test.clock.now());
  const stripeUrl = `${world.url}/stripe`;
  const gateway = createStripeGateway({ stripeUrl, secretKey: 'sk_test_sandbox' });
  const deps = { ...test, ids: systemIds, gateway: { ...test.gateway, ...gateway } };
  const isKilled: PaymentWorld['isKilled'] = async (work, dieAfter, scene) => {
    const asked: PaymentWork = {
      work,
      dieAfter,
      databaseUrl: deps.database.url ?? '',
      stripeUrl,
      now: new Date(deps.clock.now()).toISOString(),
      settings: deps.settings,
      paymentId: '',
      quoteId: '',
      changes: ASKING_CARD,
      ...scene,
    };
    const running = startProcess(await bundled('server/test/processes/payment-process.ts'), {
      WORK: JSON.stringify(asked),
    });
    const code = await running.ended;
    if (running.child.signalCode === 'SIGKILL') return true;
    // Only `bulk` has something to log: charges that are refused.
    const told = work === 'bulk' ? /done in \d+ steps\n$/ : /^done in \d+ steps\n$/;
    expect([code, running.output()]).toEqual([0, expect.stringMatching(told)]);
    return false;
  };
  return {
    world,
    deps,
    isKilled,
    killEverywhere: async <Scene extends PaymentScene>(
      work: PaymentWork['work'],
      { concurrency, begin, check }: Scenes<Scene>,
    ) => {
      let turn = 0;
      for (let from = FIRST_KILL; ; from += concurrency * KILLS_EVERY) {
        const begun = new Map<number, Scene>();
        for (let n = from; begun.size < concurrency; n += KILLS_EVERY) begun.set(n, await begin(n));
        const killed = await Promise.all(
          [...begun].map(async ([n, scene]) => ({ n, isDead: await isKilled(work, n, scene) })),
        );
        for (const [n, scene] of begun) await check(scene, n, turn++);
        const lived = killed.find(({ isDead }) => !isDead);
        if (lived) return lived.n;
      }
    },
    close: async () => {
      await deps.database.close();
      await world.close();
    },
  };
}
