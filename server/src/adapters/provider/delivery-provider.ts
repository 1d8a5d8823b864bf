import type {
  Capacity,
  ProviderOrder,
  ProviderProgress,
} from '#shared/contract/provider-protocol.ts';

/** The port to the delivery provider. Every call is safe to repeat: `ref` is the idempotency key. */
export interface DeliveryProvider {
  /**
   * How long after an attempt that got no answer it may still take effect, ms. An order that the provider
   * doesn't know after that never arrives; we cancel it.
   */
  readonly lastArrivalMs: number;
  placeOrders(orders: ProviderOrder[], signal?: AbortSignal): Promise<ProviderOutcome<Placement[]>>;
  /** Refs the provider doesn't know are missing from the answer. */
  readProgress(refs: string[], signal?: AbortSignal): Promise<ProviderOutcome<ProviderProgress[]>>;
  cancelOrders(refs: string[], signal?: AbortSignal): Promise<ProviderOutcome<ProviderProgress[]>>;
  readCapacity(signal?: AbortSignal): Promise<ProviderOutcome<Capacity>>;
}

export type Placement =
  | { ref: string; result: 'accepted' }
  | { ref: string; result: 'refused'; reason: string };

export type ProviderOutcome<Answer> =
  | { kind: 'answered'; answer: Answer }
  /** Time-out, connection lost or 5xx: whether it took effect is unknown; repeat. */
  | { kind: 'unavailable'; reason: string }
  /** It answered, with something that isn't the protocol's; it may have taken effect. */
  | { kind: 'unreadable' }
  /** Signature or request refused: an operator must act. */
  | { kind: 'rejected'; status: number };
