import type { CardBrand } from '#shared/domain/card.ts';

/** The port to the card gateway. Keys make every call safe to repeat for 24 hours. */
export interface CardGateway {
  createCustomer(request: {
    key: string;
    email: string;
    workspaceId: string;
  }): Promise<GatewayOutcome<{ customerId: string }>>;
  /** Hands the card over and attaches it; number and CVV are not kept on our side. */
  saveCard(request: {
    key: string;
    customerId: string;
    card: CardDetails;
  }): Promise<GatewayOutcome<SavedCard>>;
  charge(request: ChargeRequest): Promise<ChargeOutcome>;
  /** Looks a charge up by our own id, for attempts whose answer was lost. */
  findCharge(
    request: Pick<ChargeRequest, 'amountCents' | 'chargeId' | 'customerId'>,
  ): Promise<FindChargeOutcome>;
  /** One page of the gateway's own book, newest first: what was charged at or after `since`. */
  listCharges(request: ListRequest): Promise<ListChargesOutcome>;
  refund(request: RefundRequest): Promise<GatewayOutcome<{ gatewayRefundId: string }>>;
  /** Looks a refund up by our own id, for attempts whose answer was lost or whose key is forgotten. */
  findRefund(request: { gatewayChargeId: string; refundId: string }): Promise<FindRefundOutcome>;
  /** One page of refunds, newest first, whoever made them: those created at or after `since`. */
  listRefunds(request: ListRequest): Promise<ListRefundsOutcome>;
  /** One page of disputes, newest first, as they stand now: those opened at or after `since`. */
  listDisputes(request: ListRequest): Promise<ListDisputesOutcome>;
  /** Takes every saved card off a customer, safe to repeat; an unknown customer has none. */
  detachCards(request: { customerId: string }): Promise<GatewayOutcome<{ detached: number }>>;
  /** Forgets a customer with the address and cards, safe to repeat; what was paid stays in the book. */
  deleteCustomer(request: { customerId: string }): Promise<GatewayOutcome<object>>;
}

export interface CardDetails {
  number: string;
  month: number;
  year: number;
  cvv: string;
  name: string;
  address: {
    line1: string;
    line2: string;
    city: string;
    state: string;
    zip: string;
    country: string;
  };
  phone: string;
}

export interface SavedCard {
  paymentMethodId: string;
  brand: CardBrand;
  lastDigits: string;
  /** The same for one card, whoever saves it; undefined where the gateway has none. */
  fingerprint: string | undefined;
}

export interface ChargeRequest {
  /** Idempotency key, written to the database before the call. */
  key: string;
  /** Our charge id; travels as metadata so that the charge can be looked up. */
  chargeId: string;
  customerId: string;
  paymentMethodId: string;
  amountCents: number;
  description: string;
}

export interface RefundRequest {
  /** Idempotency key, written to the database before the call. */
  key: string;
  /** Our refund id; travels as metadata so that the refund can be looked up. */
  refundId: string;
  gatewayChargeId: string;
  amountCents: number;
}

/** Why a refund is rejected while the charge is disputed at its bank; it may be sent again once that is won. */
export const CHARGE_DISPUTED = 'charge_disputed';

export type DeclineCode = 'card_declined' | 'insufficient_funds' | 'card_invalid';

export type GatewayOutcome<Answer> =
  | ({ kind: 'done' } & Answer)
  /** A definite no: nothing was charged. */
  | { kind: 'declined'; code: DeclineCode }
  /** Time-out, reset, 5xx or nonsense: it may have taken effect. */
  | { kind: 'unknown'; reason: string }
  /** Bad key or request of ours: nothing happened, an operator must act. */
  | { kind: 'rejected'; reason: string };

/**
 * The gateway took another sum, currency or customer than it was asked to. Money has moved, but not what is
 * owed: never "paid", never to be sent again, an operator decides.
 */
export interface ChargeMismatch {
  kind: 'mismatch';
  gatewayChargeId: string;
  /** What differs: asked for, then told. */
  reason: string;
}

export type ChargeOutcome = GatewayOutcome<{ gatewayChargeId: string }> | ChargeMismatch;

/** A charge as the gateway's own book has it. */
export interface GatewayCharge {
  gatewayChargeId: string;
  /** Our id; undefined for what somebody else charged. */
  chargeId: string | undefined;
  state: 'succeeded' | 'declined' | 'pending';
  amountCents: number;
  refundedCents: number;
}

/** `after`: where the page before ended. */
export interface ListRequest {
  since: Date;
  after?: string;
}

/** `after`: where the next page begins; undefined on the last. */
type Listed<Page> =
  | ({ kind: 'listed'; after: string | undefined } & Page)
  | { kind: 'unknown'; reason: string };

export type ListChargesOutcome = Listed<{ charges: GatewayCharge[] }>;

/** A refund as the gateway's own book has it. */
export interface GatewayRefund {
  gatewayRefundId: string;
  gatewayChargeId: string;
  /** Our id; undefined for what somebody gave back at the gateway itself. */
  refundId: string | undefined;
  /** `failed`: the money didn't arrive and is not under way. */
  state: 'succeeded' | 'failed';
  amountCents: number;
  createdAt: Date;
}

export type ListRefundsOutcome = Listed<{ refunds: GatewayRefund[] }>;

/**
 * A payment that its customer's bank asks about (`inquiry`: no money has moved) or has called back (`open`,
 * then decided: the money is ours again when `won`).
 */
export interface GatewayDispute {
  disputeId: string;
  gatewayChargeId: string;
  state: 'inquiry' | 'open' | 'lost' | 'won';
  amountCents: number;
  openedAt: Date;
  /** Of the card, as when it was saved; undefined where the gateway has none. */
  fingerprint: string | undefined;
}

export type ListDisputesOutcome = Listed<{ disputes: GatewayDispute[] }>;

export type FindChargeOutcome =
  | {
      kind: 'found';
      gatewayChargeId: string;
      state: 'succeeded' | 'declined' | 'pending';
      amountCents: number;
    }
  | ChargeMismatch
  | { kind: 'absent' }
  | { kind: 'unknown'; reason: string };

export type FindRefundOutcome =
  /** `failed`: the money didn't arrive and is not under way. */
  | { kind: 'found'; gatewayRefundId: string; state: 'succeeded' | 'failed'; amountCents: number }
  | { kind: 'absent' }
  | { kind: 'unknown'; reason: string };
