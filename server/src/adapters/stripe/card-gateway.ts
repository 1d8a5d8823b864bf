import type { BillingAddress, CardBrand } from '#shared/domain/money/card.ts';

/** The port to the card gateway. Keys make every call safe to repeat for 24 hours. */
export interface CardGateway {
  createCustomer(request: {
    key: string;
    email: string;
    workspaceId: string;
  }): Promise<GatewayOutcome<{ customerId: string }>>;
  /**
   * Hands the card over and attaches it; number and CVV are not kept on our side. A token that is another
   * customer's, over, or none at all is declined as `card_invalid`.
   */
  saveCard(request: {
    key: string;
    customerId: string;
    card: CardDetails | CardToken;
  }): Promise<GatewayOutcome<SavedCard>>;
  /** What the gateway has of a saved card by now: its bank may have renewed it. */
  findCard(request: { customerId: string; paymentMethodId: string }): Promise<FindCardOutcome>;
  charge(request: ChargeRequest): Promise<ChargeOutcome>;
  /** Looks a charge up by our own id, for attempts whose answer was lost; by the gateway's where it is known. */
  findCharge(
    request: Pick<ChargeRequest, 'amountCents' | 'chargeId' | 'customerId' | 'paymentMethodId'> & {
      gatewayChargeId?: string;
    },
  ): Promise<FindChargeOutcome>;
  /** Makes sure that a charge which isn't paid never will be, safe to repeat. */
  cancelCharge(request: { gatewayChargeId: string }): Promise<CancelOutcome>;
  /** Has the bank agree to later charges of a card that is attached, without charging it. */
  setUpCard(request: SetUpRequest & { paymentMethodId: string }): Promise<SetUpOutcome>;
  /**
   * Opens a page of the gateway's on which the customer enters a card; it leads back to `returnUrl`. Its address can
   * be sent to somebody else, so it says by `note` what the card is for.
   */
  openCardPage(
    request: SetUpRequest & { closesAt: Date; note: string },
  ): Promise<GatewayOutcome<{ gatewaySetUpId: string; url: string }>>;
  /** What became of a set-up or of a page. */
  findSetUp(request: { gatewaySetUpId: string }): Promise<FindSetUpOutcome>;
  /** Makes sure that no card comes of it any more, safe to repeat. */
  cancelSetUp(request: { gatewaySetUpId: string }): Promise<CancelOutcome>;
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
  address: BillingAddress;
  phone: string;
}

/** A card that the customer has entered in the gateway's own fields. */
export interface CardToken {
  token: string;
}

export interface SavedCard {
  paymentMethodId: string;
  brand: CardBrand;
  lastDigits: string;
  holderName: string;
  address: BillingAddress;
  month: number;
  year: number;
  /** The same for one card, whoever saves it; undefined where the gateway has none. */
  fingerprint: string | undefined;
}

export type FindCardOutcome =
  | { kind: 'found'; card: SavedCard }
  /** It isn't this customer's any more. */
  | { kind: 'absent' }
  | { kind: 'unknown'; reason: string };

export interface ChargeRequest {
  /** Idempotency key, written to the database before the call. */
  key: string;
  /** Our charge id; travels as metadata so that the charge can be looked up. */
  chargeId: string;
  customerId: string;
  paymentMethodId: string;
  amountCents: number;
  description: string;
  presence: Presence;
}

/** Whether the customer is there, so that their bank can ask them. */
export type Presence =
  | { kind: 'absent' }
  | {
      kind: 'present';
      /** Where the bank's page leads back to. */
      returnUrl: string;
      /** Has the bank agree to later charges of the card, when nobody is there. */
      setsUpCard: boolean;
    };

export interface SetUpRequest {
  /** Idempotency key, written to the database before the call. */
  key: string;
  /** Our id; travels as metadata. */
  setUpId: string;
  customerId: string;
  returnUrl: string;
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

export type DeclineCode =
  | 'card_declined'
  | 'insufficient_funds'
  | 'card_invalid'
  /** The bank wants to ask its customer, who isn't there. */
  | 'authentication_required'
  /** The bank asked its customer, and wasn't told yes. */
  | 'not_confirmed';

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

export type ChargeOutcome =
  | GatewayOutcome<{ gatewayChargeId: string }>
  /** The bank asks its customer, at this address. */
  | { kind: 'needs_action'; gatewayChargeId: string; url: string }
  | ChargeMismatch;

/** `succeeded`: too late, the customer's yes was first. */
export type CancelOutcome =
  | { kind: 'done' }
  | { kind: 'succeeded' }
  | { kind: 'unknown'; reason: string };

export type SetUpOutcome =
  | GatewayOutcome<{ gatewaySetUpId: string; card: SavedCard }>
  | { kind: 'needs_action'; gatewaySetUpId: string; url: string };

/** How a charge or a set-up that isn't through yet, or never will be, stands. */
export type Unfinished =
  | { state: 'pending' }
  | { state: 'declined'; code: DeclineCode }
  /** The bank, or the gateway's page, waits for the customer. */
  | { state: 'needs_action'; url: string };

export type FindSetUpOutcome =
  | ({ kind: 'found' } & (Unfinished | { state: 'succeeded'; card: SavedCard }))
  | { kind: 'unknown'; reason: string };

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

/**
 * With what the bank page brings back a browser can pay a charge that waits with any card: also with one that
 * isn't taken here. Where it isn't known any more which card was asked for, it's none other.
 */
interface PaidWith {
  isOtherCard: boolean;
}

/** What waits is a no, too, once another card was tried on it; so it has to be canceled as well. */
export type FindChargeOutcome =
  | ({ kind: 'found'; gatewayChargeId: string; amountCents: number } & (
      | Unfinished
      | ({ state: 'succeeded' } & PaidWith)
    ))
  | ChargeMismatch
  | { kind: 'absent' }
  | { kind: 'unknown'; reason: string };

export type FindRefundOutcome =
  /** `failed`: the money didn't arrive and is not under way. */
  | { kind: 'found'; gatewayRefundId: string; state: 'succeeded' | 'failed'; amountCents: number }
  | { kind: 'absent' }
  | { kind: 'unknown'; reason: string };
