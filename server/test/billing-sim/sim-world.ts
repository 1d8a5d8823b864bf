import type { Detector } from '#server/features/detection/detector.ts';
import type { FakeDesk } from '#server/adapters/stripe/fake-gateway-desk.ts';
import type { Shopper } from '../checkout-fixture.ts';
import type { TestDeps } from '../test-deps.ts';

/** One lane of the simulation: customers on a database, a gateway and a network of their own. */
export interface SimWorld {
  deps: TestDeps;
  detector: Detector;
  /** Seeded, in [0, 1). */
  random: () => number;
  count: (what: string) => void;
  shoppers: Shopper[];
  /** Names of accounts and the posts they have made so far. */
  posts: Map<string, Array<{ id: string; shortcode: string }>>;
  /** Refs of orders that the provider hasn't ended. */
  openRefs: Set<string>;
  /** What banks and the gateway's own desk can do; the sandbox's are not played. */
  desk: FakeDesk | undefined;
  /** Disputes without an end. */
  openDisputes: string[];
}

/** From `least` to `most`, both included. */
export function pickNumber(random: () => number, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1));
}
