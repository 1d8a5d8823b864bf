import { may } from '#shared/domain/people/may.ts';
import { getPlan } from '#shared/domain/money/plans.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Mail } from '#server/adapters/mail/mailer.ts';
import type { Deps } from '#server/kit/deps.ts';
import { openSecret } from '#server/kit/sealed-secret.ts';
import {
  passwordChangedMail,
  recoveryCodeMail,
  supportTicketMail,
  welcomeMail,
} from './account-mails.ts';
import {
  cardReplacedMail,
  paymentDeclinedMail,
  renewalToConfirmMail,
  type SubscriptionFacts,
  budgetSpentMail,
  planChangedMail,
  planChangePlannedMail,
  receiptMail,
  refundMail,
  renewalReminderMail,
} from './billing-mails.ts';
import { composeDigest } from './alert-mails.ts';
import { disputeDecidedMail, disputeNoticeMail, paymentDisputedMail } from './dispute-mails.ts';
import { composeDeletion } from './deletion-mail.ts';
import {
  accountFreeMail,
  displacedMail,
  endingMail,
  fairDaysMail,
  moneyBackMail,
  pausedMail,
  resumedMail,
  stoppedMail,
} from './cancellation-mails.ts';
import {
  findChargeFacts,
  findDelivered,
  findInvited,
  findOrderFacts,
  findOperationFacts,
  findPerson,
  findProposalFacts,
  findRecipient,
  isToldWithMany,
  findSubscriptionFacts,
  listSeenOrders,
  wantsLikesDelivered,
} from './mail-facts.repository.ts';
import {
  invitationMail,
  memberJoinedMail,
  membershipEndedMail,
  operationMail,
  ownershipMail,
  planMovedMail,
  proposalMail,
} from './team-mails.ts';
import { composeConfirmation, composeReport } from './report-mails.ts';
import { layOutMail, type MailContent } from './mail-layout.ts';
import { likesDeliveredMail, partlyDeliveredMail } from './order-mails.ts';
import type { OwedMailRow } from './owed-mail.repository.ts';
import type { MailPayload } from '#server/kit/db/tables/owed-mail.table.ts';

/** What a recovery code is sealed for (`sealSecret`). */
export const RECOVERY_CODE_SEAL = 'recovery-code';

/** What the token of an invitation's link is sealed for. */
export const INVITATION_SEAL = 'invitation';

type ComposeDeps = Pick<Deps, 'database' | 'random' | 'settings'>;

/** The mail a row of owed_mail owes; undefined when whom or what it is about is gone. */
export async function composeMail(
  deps: ComposeDeps,
  row: Pick<OwedMailRow, 'workspace_id' | 'id' | 'payload'>,
): Promise<Mail | undefined> {
  const { payload } = row;
  const { supportEmail } = deps.settings;
  if (payload.kind === 'support_ticket' || payload.kind === 'dispute_notice') {
    const ours =
      payload.kind === 'support_ticket' ? supportTicketMail(payload) : disputeNoticeMail(payload);
    return { id: row.id, to: supportEmail, ...layOutMail(ours, deps.settings) };
  }
  if (payload.kind === 'account_deleted') return composeDeletion(deps, row, payload);
  if (payload.kind === 'invitation') return composeInvitation(deps, row, payload);
  if (payload.kind === 'report_confirmation') return composeConfirmation(deps, row, payload);
  if (payload.kind === 'client_report') return composeReport(deps, row, payload);
  const userId = 'userId' in payload ? payload.userId : undefined;
  const recipient = await findRecipient(deps.database.db, row.workspace_id, userId);
  if (!recipient) return undefined;
  const content = await compose(deps, row.workspace_id, payload);
  return content && { id: row.id, to: recipient.email, ...layOutMail(content, deps.settings) };
}

type InvitationMail = Extract<MailPayload, { kind: 'invitation' }>;

/** Goes to who was invited, who may be nobody's customer, as long as the invitation is open. */
async function composeInvitation(
  { database, settings }: ComposeDeps,
  { workspace_id: workspaceId, id }: Pick<OwedMailRow, 'workspace_id' | 'id'>,
  { invitationId, sealedToken }: InvitationMail,
): Promise<Mail | undefined> {
  const invited = await findInvited(database.db, { workspaceId, id: invitationId });
  const token = openSecret(settings.appSecret, INVITATION_SEAL, sealedToken);
  if (!invited || token === undefined) return undefined;
  const content = invitationMail(invited.role, `${settings.publicUrl}/join#${token}`);
  return { id, to: invited.email, ...layOutMail(content, settings) };
}

type CustomerMail = Exclude<
  MailPayload,
  {
    kind:
      | 'support_ticket'
      | 'dispute_notice'
      | 'account_deleted'
      | 'invitation'
      | 'client_report'
      | 'report_confirmation';
  }
>;

async function compose(
  deps: ComposeDeps,
  workspaceId: WorkspaceId,
  payload: CustomerMail,
): Promise<MailContent | undefined> {
  const { database, settings } = deps;
  const { publicUrl } = settings;
  if ('subscriptionId' in payload) return composeSubscription(deps, workspaceId, payload);
  if ('operationId' in payload) return composeOperation(deps, workspaceId, payload);
  switch (payload.kind) {
    case 'welcome':
      return welcomeMail(publicUrl);
    case 'recovery_code': {
      const code = openSecret(settings.appSecret, RECOVERY_CODE_SEAL, payload.sealedCode);
      return code === undefined ? undefined : recoveryCodeMail(code, payload.minutes);
    }
    case 'member_joined':
      return memberJoinedMail(payload, publicUrl);
    case 'membership_ended':
      return membershipEndedMail(payload.workspaceName);
    case 'ownership_handed_over':
      return ownershipMail(publicUrl);
    case 'password_changed':
      return passwordChangedMail(settings.supportEmail);
    case 'card_replaced':
      return cardReplacedMail(payload, settings);
    case 'plan_moved':
      return planMovedMail(payload, settings);
    case 'receipt':
      return composeReceipt(deps, workspaceId, payload.chargeId);
    case 'refund': {
      const charge = await findChargeFacts(database.db, { workspaceId, id: payload.chargeId });
      return charge && refundMail(charge, payload.amountCents, publicUrl);
    }
    case 'budget_spent':
      return budgetSpentMail(payload, publicUrl);
    case 'payment_disputed': {
      const charge = await findChargeFacts(database.db, { workspaceId, id: payload.chargeId });
      return charge && paymentDisputedMail(charge, payload, publicUrl);
    }
    case 'dispute_decided': {
      const charge = await findChargeFacts(database.db, { workspaceId, id: payload.chargeId });
      return charge && disputeDecidedMail(charge, payload, publicUrl);
    }
    case 'order_partly_delivered': {
      const order = await findOrderFacts(database.db, { workspaceId, id: payload.orderId });
      return order && partlyDeliveredMail(order, publicUrl);
    }
    case 'likes_delivered':
      return composeDelivered(deps, workspaceId, payload);
    case 'alert_digest':
      return composeDigest(deps, workspaceId, payload);
    default:
      return payload satisfies never;
  }
}

async function composeDelivered(
  { database: { db }, settings: { publicUrl } }: ComposeDeps,
  workspaceId: WorkspaceId,
  { userId, orderIds: all }: Extract<CustomerMail, { kind: 'likes_delivered' }>,
): Promise<MailContent | undefined> {
  const person = { workspaceId, userId };
  if (!(await wantsLikesDelivered(db, person))) return undefined;
  const orderIds = await listSeenOrders(db, person, all);
  const done = await findDelivered(db, { workspaceId, orderIds });
  return done && likesDeliveredMail(done, publicUrl);
}

async function composeReceipt(
  { database: { db }, settings: { publicUrl } }: ComposeDeps,
  workspaceId: WorkspaceId,
  chargeId: string,
): Promise<MailContent | undefined> {
  if (await isToldWithMany(db, workspaceId, chargeId)) return undefined;
  const charge = await findChargeFacts(db, { workspaceId, id: chargeId });
  return charge && receiptMail(charge, publicUrl);
}

/** Changes of many accounts: they ended, or wait for approval, or were decided about. */
async function composeOperation(
  { database: { db }, settings: { publicUrl } }: ComposeDeps,
  workspaceId: WorkspaceId,
  about: Extract<CustomerMail, { operationId: string }>,
): Promise<MailContent | undefined> {
  const { kind, operationId: id } = about;
  if (kind === 'bulk_done') {
    const facts = await findOperationFacts(db, { workspaceId, id });
    return facts && operationMail(facts, publicUrl);
  }
  // Their role may have been another one when it was proposed.
  const person = await findPerson(db, { workspaceId, userId: about.userId });
  if (kind === 'bulk_proposed' && !(person && may(person, 'spend'))) return undefined;
  const facts = await findProposalFacts(db, { workspaceId, id });
  return facts && proposalMail(kind, facts, publicUrl);
}

type SubscriptionMail = Extract<CustomerMail, { subscriptionId: string }>;

async function composeSubscription(
  { database, settings: { publicUrl } }: ComposeDeps,
  workspaceId: WorkspaceId,
  payload: SubscriptionMail,
): Promise<MailContent | undefined> {
  const key = { workspaceId, id: payload.subscriptionId };
  const subscription = await findSubscriptionFacts(database.db, key);
  if (!subscription) return undefined;
  switch (payload.kind) {
    case 'renewal_reminder': {
      const due = { amountCents: payload.amountCents, at: new Date(payload.dueAt) };
      const { package: number } = payload;
      const likes = number === undefined ? subscription.likes : getPlan(number).description;
      return renewalReminderMail({ ...subscription, likes }, due, publicUrl);
    }
    case 'payment_declined':
    case 'renewal_to_confirm':
      return composeUnpaid(subscription, payload, publicUrl);
    case 'plan_changed':
      if (await isToldWithMany(database.db, workspaceId, payload.chargeId)) return undefined;
      return planChangedMail(subscription, getPlan(payload.package), publicUrl);
    case 'plan_change_planned': {
      const planned = { plan: getPlan(payload.package), startsAt: new Date(payload.startsAt) };
      return planChangePlannedMail(subscription, planned, publicUrl);
    }
    case 'subscription_ending':
      return endingMail(
        subscription,
        { endsAt: new Date(payload.endsAt), isPaused: payload.isPaused === true },
        publicUrl,
      );
    case 'subscription_stopped':
      return stoppedMail(subscription, new Date(payload.stoppedAt), publicUrl);
    case 'subscription_paused':
      return pausedMail(subscription, payload, publicUrl);
    case 'subscription_displaced':
      return displacedMail(subscription, new Date(payload.until), publicUrl);
    case 'account_free':
      return accountFreeMail(subscription, new Date(payload.until), publicUrl);
    case 'subscription_resumed':
      return resumedMail(subscription, new Date(payload.nextBillingAt), publicUrl);
    case 'fair_days':
      return fairDaysMail(subscription, { ...payload, until: new Date(payload.until) }, publicUrl);
    case 'money_back': {
      return moneyBackMail(
        subscription,
        { mostCents: payload.amountCents, ...payload, at: new Date(payload.at) },
        publicUrl,
      );
    }
    default:
      return payload satisfies never;
  }
}

/** A renewal that isn't paid. */
function composeUnpaid(
  subscription: SubscriptionFacts,
  payload: Extract<MailPayload, { kind: 'payment_declined' | 'renewal_to_confirm' }>,
  publicUrl: string,
): MailContent {
  const dateOf = (at: string | null | undefined): Date | undefined =>
    typeof at === 'string' ? new Date(at) : undefined;
  const { amountCents } = payload;
  const postsWaitSince = dateOf(payload.postsWaitSince);
  if (payload.kind === 'payment_declined') {
    const { nextTryAt, isCardDisputed = false } = payload;
    const declined = { amountCents, isCardDisputed, nextTryAt: dateOf(nextTryAt), postsWaitSince };
    return paymentDeclinedMail(subscription, declined, publicUrl);
  }
  const until = new Date(payload.until);
  const nextTryAt = dateOf(payload.nextReminderAt);
  const renewal = { amountCents, nextTryAt, until, postsWaitSince };
  return renewalToConfirmMail(subscription, renewal, publicUrl);
}
