import type { MoneyBackParts } from '#shared/domain/money/money-back-words.ts';
import type { Generated, JSONColumnType } from 'kysely';
import type { Role } from '#shared/domain/people/may.ts';
import type { ServiceCreditDay } from '#shared/domain/money/shift-reason.ts';
import type { OrderId, WorkspaceId } from '#shared/domain/ids.ts';

/** A mail owed by a committed transaction. It is handed to the job queue once, under its own id. */
export interface OwedMailTable {
  workspace_id: WorkspaceId;
  id: string;
  payload: JSONColumnType<MailPayload>;
  created_at: Date;
  /** When it is due for the queue; null once handed over. */
  next_attempt_at: Date | null;
  fence: Generated<number>;
  attempts: Generated<number>;
  sent_at: Date | null;
}

/** A step of a dispute, with no more about the customer than the ids of the payment. */
export interface DisputeNotice {
  chargeId: string;
  /** The gateway's. */
  disputeId: string;
  gatewayChargeId: string;
  step: 'inquiry' | 'open' | 'lost' | 'won';
  amountCents: number;
}

/** What is left of somebody who has deleted their account, in amounts. */
export interface DeletedAccount {
  /** On its way back to their cards. */
  owedCents: number;
  /** Money back that was asked for and is still to be approved. */
  requested: { leastCents: number; mostCents: number } | null;
  /** Others work on in a workspace that they were in. */
  hasLeftOthers: boolean;
}

/**
 * What a mail is about. Words and looked-up facts are decided when it is sent; what may have changed by
 * then (an amount, a date) is kept here. Instants are ISO, amounts whole cents. Mails without a
 * `userId` go to the first owner of the workspace.
 */
export type MailPayload =
  | { kind: 'welcome'; userId: string }
  /** `sealedCode`: see `sealSecret`; a code must not lie readable in any table. */
  | { kind: 'recovery_code'; userId: string; sealedCode: string; minutes: number }
  /** Whichever way it was changed. */
  | { kind: 'password_changed'; userId: string }
  /** Another card is charged from now on: each owner is told. */
  | { kind: 'card_replaced'; userId: string; brand: string; lastDigits: string }
  /** A plan pays for another network account from now on: each owner is told, by name who did it. */
  | { kind: 'plan_moved'; userId: string; by: string; from: string; to: string }
  /** A charge that went through. */
  | { kind: 'receipt'; chargeId: string }
  /** `package`: the plan that is renewed; mails of before tell the plan of now. */
  | {
      kind: 'renewal_reminder';
      subscriptionId: string;
      package?: number;
      amountCents: number;
      dueAt: string;
    }
  /** `nextTryAt` null: that was the last attempt, and the subscription has ended. */
  | {
      kind: 'payment_declined';
      subscriptionId: string;
      amountCents: number;
      nextTryAt: string | null;
      /** Posts from then on wait for the payment. */
      postsWaitSince?: string;
      /** We didn't ask the bank: a payment with this card is disputed. */
      isCardDisputed?: boolean;
    }
  /** The bank wants its customer to confirm a renewal. `nextReminderAt` null: the subscription has ended. */
  | {
      kind: 'renewal_to_confirm';
      subscriptionId: string;
      amountCents: number;
      nextReminderAt: string | null;
      until: string;
      postsWaitSince: string;
    }
  /** A dearer plan was paid by this charge, or the due date came that another plan waited for. */
  | { kind: 'plan_changed'; subscriptionId: string; package: number; chargeId?: string }
  /** Changes of many accounts have ended: one mail for all of them. */
  | { kind: 'bulk_done'; operationId: string }
  /** Another plan follows at the next due date. */
  | { kind: 'plan_change_planned'; subscriptionId: string; package: number; startsAt: string }
  /** Stops at the end of the period paid for. */
  | { kind: 'subscription_ending'; subscriptionId: string; endsAt: string; isPaused?: boolean }
  | { kind: 'subscription_stopped'; subscriptionId: string; stoppedAt: string }
  | {
      kind: 'subscription_paused';
      subscriptionId: string;
      /** Missing in mails from before pauses were planned. */
      pausesAt?: string;
      resumesAt: string;
      nextBillingAt?: string;
    }
  | { kind: 'subscription_resumed'; subscriptionId: string; nextBillingAt: string }
  /** Somebody else has shown that the account is theirs; the plan waits until then for another one. */
  | { kind: 'subscription_displaced'; subscriptionId: string; until: string }
  /** Nobody has the account of a displaced plan any more. */
  | { kind: 'account_free'; subscriptionId: string; until: string }
  /** Days given back; the period, or with `isStopping` the plan, ends at `until`. */
  | {
      kind: 'fair_days';
      subscriptionId: string;
      days: readonly ServiceCreditDay[];
      until: string;
      isStopping: boolean;
    }
  /** `at`: approved by itself at the latest (Requested), or when it was approved or paid. */
  | {
      kind: 'money_back';
      subscriptionId: string;
      step: 'Requested' | 'Approved' | 'Paid';
      /** At least, until it is approved; then exactly. */
      amountCents: number;
      /** These two are missing in mails owed before amounts followed what was delivered. */
      mostCents?: number;
      parts?: MoneyBackParts;
      at: string;
    }
  /** A budget is spent to 80 or 100 percent; null: the workspace's, or a client's. */
  | {
      kind: 'budget_spent';
      igUsername: string | null;
      /** Whose it is, if it is a client's. */
      clientName?: string;
      limitCents: number;
      spentCents: number;
      until: string;
      timeZone: string;
    }
  /** Any other money returned to the card. */
  | { kind: 'refund'; chargeId: string; amountCents: number }
  /** Called back by the bank; `amountCents`: what it disputes. */
  | {
      kind: 'payment_disputed';
      chargeId: string;
      amountCents: number;
      takenCredits: number;
      isPlanStopped: boolean;
    }
  | {
      kind: 'dispute_decided';
      chargeId: string;
      amountCents: number;
      outcome: 'lost' | 'won';
      takenCredits: number;
      /** The plan that it had stopped goes on until then. */
      planUntil?: string;
    }
  | { kind: 'order_partly_delivered'; orderId: OrderId }
  /** Orders that were delivered in full within a few minutes; at least one. */
  | { kind: 'likes_delivered'; userId: string; orderIds: OrderId[] }
  /** What somebody in the workspace may have to act on, that began within these milliseconds since the epoch. */
  | { kind: 'alert_digest'; userId: string; fromMs: number; untilMs: number }
  /** The PDF of a month, to a member or to an address outside. */
  | ({ kind: 'client_report'; reportId: string; month: string } & (
      | { userId: string }
      | { address: string }
    ))
  /** Asks an address outside whether it wants reports. `sealedToken`: see `sealSecret`. */
  | { kind: 'report_confirmation'; addressId: string; sealedToken: string }
  /** Goes to the operator. */
  | ({ kind: 'dispute_notice' } & DisputeNotice)
  /** Goes to the address of the invitation. `sealedToken`: see `sealSecret`. */
  | { kind: 'invitation'; invitationId: string; sealedToken: string }
  | { kind: 'member_joined'; name: string; role: Role }
  /** Changes of many accounts wait for this person's approval, or were decided about, which their person is told. */
  | { kind: 'bulk_proposed' | 'bulk_decided'; userId: string; operationId: string }
  | { kind: 'membership_ended'; userId: string; workspaceName: string }
  | { kind: 'ownership_handed_over'; userId: string }
  /** Goes to the address of somebody who is gone, and takes its row along. `sealedAddress`: see `sealSecret`. */
  | ({ kind: 'account_deleted'; sealedAddress: string } & DeletedAccount)
  /** Goes to support, not to the customer. */
  | { kind: 'support_ticket'; ticketId: string; name: string; email: string; message: string };
