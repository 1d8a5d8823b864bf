import type { Deps } from '../../deps.ts';
import { GraphBudget } from '../detection/graph-budget.ts';
import { NetworkReader } from '../detection/network-reader.ts';
import type { OrderReason } from '../orders/reasons.ts';

/** An order that ended with fewer likes than ordered. */
export interface ShortOrder {
  igId: string;
  postId: string;
  /** The account's name and network id now; an account that was moved has another id. */
  igUsername: string;
  accountIgId: string | null;
}

/** Whose side it was, as the network has it. */
export type ShortfallCause =
  | { kind: 'customer'; reason: Extract<OrderReason, 'post_deleted' | 'account_unreadable'> }
  /** Account and post are there, so it was the provider's. */
  | { kind: 'provider' }
  /** The network doesn't answer, or lets us ask no more. */
  | { kind: 'unknown'; retryAfterMs: number };

type NetworkDeps = Pick<Deps, 'clock' | 'database' | 'log' | 'network' | 'random'>;

const UNKNOWN = { kind: 'unknown', retryAfterMs: 30_000 } as const;

/** Asks the network why orders fell short (D7); open it once a round. */
export class ShortfallCauses {
  readonly #budget: GraphBudget;
  readonly #reader: NetworkReader;

  private constructor(deps: NetworkDeps, budget: GraphBudget) {
    this.#budget = budget;
    this.#reader = new NetworkReader(deps, budget);
  }

  static async open(deps: NetworkDeps): Promise<ShortfallCauses> {
    const budget = new GraphBudget(deps);
    await budget.refresh();
    return new ShortfallCauses(deps, budget);
  }

  /** The account first: of a private one the network shows no post either. */
  async find(order: ShortOrder): Promise<ShortfallCause> {
    const { igId, postId, igUsername, accountIgId } = order;
    if (igId === accountIgId) {
      const page = { username: igUsername, limit: 1, share: 'paying' } as const;
      const reading = await this.#reader.readPage(page);
      if (reading.kind === 'unreadable') return { kind: 'customer', reason: 'account_unreadable' };
      if (reading.kind === 'throttled') return { ...UNKNOWN, retryAfterMs: reading.retryAfterMs };
      if (reading.kind !== 'read') return UNKNOWN;
      if (reading.account.igId !== igId) return { kind: 'customer', reason: 'account_unreadable' };
    }
    const media = await this.#reader.readMedia(postId, undefined, 'paying');
    if (media.kind === 'gone') return { kind: 'customer', reason: 'post_deleted' };
    return media.kind === 'exists' ? { kind: 'provider' } : UNKNOWN;
  }

  async close(): Promise<void> {
    await this.#budget.save();
  }
}
