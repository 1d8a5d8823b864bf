import { getPlan } from '#shared/domain/plans.ts';
import type { Mail } from '../../adapters/mail/mailer.ts';
import type { Deps } from '../../deps.ts';
import { openSecret } from '../../sealed-secret.ts';
import {
  passwordChangedMail,
  recoveryCodeMail,
  supportTicketMail,
  welcomeMail,
} from './account-mails.ts';
import {
  paymentDeclinedMail,
  planChangedMail,
  planChangePlannedMail,
  receiptMail,
  refundMail,
  renewalReminderMail,
} from './billing-mails.ts';
import { disputeDecidedMail, paymentDisputedMail } from './dispute-mails.ts';
import {
  accountFreeMail,
  displacedMail,
  endingMail,
  fairDaysMail,
  moneyBackMail,
  pausedMail,
  resumedMail,
  stoppedMail,
} from './exit-mails.ts';
import {
  findChargeFacts,
  findDelivered,
  findOrderFacts,
  findRecipient,
  findSubscriptionFacts,
} from './mail-facts.repository.ts';
import { layOutMail, type MailContent } from './mail-layout.ts';
import { likesDeliveredMail, partlyDeliveredMail } from './order-mails.ts';
import { findPreference } from '../users/user-preference.repository.ts';
import type { OutboxRow } from './outbox.repository.ts';
import type { MailPayload } from './outbox.table.ts';

/** What a recovery code is sealed for (`sealSecret`). */
export const RECOVERY_CODE_SEAL = 'recovery-code';

type ComposeDeps = Pick<Deps, 'database' | 'settings'>;

/** The mail an outbox row owes; undefined when whom or what it is about is gone. */
export async function composeMail(
  deps: ComposeDeps,
  row: Pick<OutboxRow, 'workspace_id' | 'id' | 'payload'>,
): Promise<Mail | undefined> {
  const { payload } = row;
  const { supportEmail } = deps.settings;
  if (payload.kind === 'support_ticket') {
    return {
      id: row.id,
      to: supportEmail,
      ...layOutMail(supportTicketMail(payload), deps.settings),
    };
  }
  const userId = 'userId' in payload ? payload.userId : undefined;
  const recipient = await findRecipient(deps.database.db, row.workspace_id, userId);
  if (!recipient) return undefined;
  const content = await compose(deps, row.workspace_id, payload);
  return content && { id: row.id, to: recipient.email, ...layOutMail(content, deps.settings) };
}

type CustomerMail = Exclude<MailPayload, { kind: 'support_ticket' }>;

async function compose(
  { database, settings }: ComposeDeps,
  workspaceId: string,
  payload: CustomerMail,
): Promise<MailContent | undefined> {
  const { publicUrl } = settings;
  if ('subscriptionId' in payload) {
    return composeSubscription({ database, settings }, workspaceId, payload);
  }
  switch (payload.kind) {
    case 'welcome':
      return welcomeMail(publicUrl);
    case 'recovery_code': {
      const code = openSecret(settings.appSecret, RECOVERY_CODE_SEAL, payload.sealedCode);
      return code === undefined ? undefined : recoveryCodeMail(code, payload.minutes);
    }
    case 'password_changed':
      return passwordChangedMail(settings.supportEmail);
    case 'receipt': {
      const charge = await findChargeFacts(database.db, { workspaceId, id: payload.chargeId });
      return charge && receiptMail(charge, publicUrl);
    }
    case 'refund': {
      const charge = await findChargeFacts(database.db, { workspaceId, id: payload.chargeId });
      return charge && refundMail(charge, payload.amountCents, publicUrl);
    }
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
    case 'likes_delivered': {
      const { userId, orderIds } = payload;
      const choice = await findPreference(database.db, { workspaceId, userId });
      if (!choice?.likes_done_mail) return undefined;
      const done = await findDelivered(database.db, { workspaceId, orderIds });
      return done && likesDeliveredMail(done, publicUrl);
    }
    default:
      return payload satisfies never;
  }
}

type SubscriptionMail = Extract<CustomerMail, { subscriptionId: string }>;

async function composeSubscription(
  { database, settings: { publicUrl } }: ComposeDeps,
  workspaceId: string,
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
    case 'payment_declined': {
      const { amountCents, nextTryAt, postsWaitSince, isCardDisputed = false } = payload;
      const declined = {
        amountCents,
        isCardDisputed,
        nextTryAt: nextTryAt === null ? undefined : new Date(nextTryAt),
        postsWaitSince: postsWaitSince === undefined ? undefined : new Date(postsWaitSince),
      };
      return paymentDeclinedMail(subscription, declined, publicUrl);
    }
    case 'plan_changed':
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
