import type { Detector } from '#server/network/detection/detector.ts';
import type { EnteredCard } from '#server/adapters/stripe/fake-gateway-cards.ts';
import type { Shopper } from '../checkout-fixture.ts';
import type { TestDeps } from '../test-deps.ts';
import type { GatewayNews } from './gateway-news.ts';

/** What customers do at their banks and on the gateway's pages; false: it was over. */
export interface SimBank {
  confirm(id: string): Promise<boolean>;
  refuse(id: string): Promise<boolean>;
  enterCard(pageId: string, card: EnteredCard): Promise<void>;
}

/** What banks and the gateway's own dashboard do, by the gateway's ids. */
export interface SimDashboard {
  /** Of a charge, cents. */
  readLeft(chargeId: string): Promise<number>;
  /** @returns the dispute's id */
  openDispute(
    chargeId: string,
    dispute: { amountCents: number; state: 'inquiry' | 'open' },
  ): Promise<string>;
  /** Not once its payment went back: then the gateway has ended it. */
  changeDispute(id: string, state: 'lost' | 'won'): Promise<void>;
  /** All that is left, unless told. */
  refund(chargeId: string, amountCents: number | undefined): Promise<void>;
}

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
  dashboard: SimDashboard;
  bank: SimBank;
  /** What banks still ask, and will be told yes in the next round, however late that is. */
  lateAnswers: string[];
  /** How often a bank has asked. */
  asked: number;
  /** What the gateway tells of its own accord. */
  news: GatewayNews;
  /** Disputes without an end, by the gateway's ids. */
  openDisputes: Array<{ id: string; chargeId: string }>;
}

/** From `least` to `most`, both included. */
export function pickNumber(random: () => number, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1));
}
