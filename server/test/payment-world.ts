import { expect } from 'vitest';
import { createStripeGateway } from '#server/adapters/stripe/stripe-gateway.ts';
import { systemIds } from '#server/main/system.ts';
import { ASKING_CARD } from './checkout-books.ts';
import type { Shopper } from './checkout-fixture.ts';
import type { PaymentWork } from './payment-process.ts';
import { startProcess } from './process.ts';
import { openSandboxWorld, type SandboxWorld } from './sandbox-world.ts';
import { createTestDeps, type TestDeps } from './test-deps.ts';

/** What is particular to one process: whom it is about, and what of its work isn't the usual. */
export interface PaymentScene {
  shopper: Shopper;
  chargeId?: string;
  refused?: string;
}

/** A database, and the sandbox's gateway over HTTP, for processes that are killed (SIGKILL) on their way. */
export interface PaymentWorld {
  world: SandboxWorld;
  deps: TestDeps;
  /** @returns whether the process was killed; if not, it came to its end */
  isKilled: (work: PaymentWork['work'], dieAfter: number, scene: PaymentScene) => Promise<boolean>;
  close: () => Promise<void>;
}

export async function openPaymentWorld(): Promise<PaymentWorld> {
  const world = await openSandboxWorld();
  const stripeUrl = `${world.url}/stripe`;
  const gateway = createStripeGateway({ stripeUrl, secretKey: 'sk_test_sandbox' });
  const test = await createTestDeps();
  const deps = { ...test, ids: systemIds, gateway: { ...test.gateway, ...gateway } };
  return {
    world,
    deps,
    isKilled: async (work, dieAfter, scene) => {
      const asked: PaymentWork = {
        work,
        dieAfter,
        databaseUrl: deps.database.url ?? '',
        stripeUrl,
        now: new Date(deps.clock.now()).toISOString(),
        settings: deps.settings,
        chargeId: '',
        changes: ASKING_CARD,
        ...scene,
      };
      const running = startProcess('server/test/payment-process.ts', {
        WORK: JSON.stringify(asked),
      });
      const code = await running.ended;
      if (running.child.signalCode === 'SIGKILL') return true;
      // Only `bulk` has something to log: charges that are refused.
      const told = work === 'bulk' ? /done in \d+ steps\n$/ : /^done in \d+ steps\n$/;
      expect([code, running.output()]).toEqual([0, expect.stringMatching(told)]);
      return false;
    },
    close: async () => {
      await deps.database.close();
      await world.close();
    },
  };
}
