import type { ActivityKind } from '#shared/domain/accounts/activity.ts';
import type { AuditAction } from '#server/audit/audit.repository.ts';

/** What an entry is about, in words for whoever reads it. */
export interface Told {
  /** "Dana", or a part of the product. */
  who: string;
  /** "@ada.paints", or "an account". */
  account: string;
  /** Whom it was done to, if it was a member. */
  person: string;
  /** "the client Bakery", "a client", or "all accounts". */
  client: string;
  /** "bob@example.com", or "an address". */
  address: string;
  /** ", $17.00", or nothing. */
  amount: string;
  /** Who was invited: "bob@example.com", or "someone". */
  invited: string;
  /** For whom somebody worked from then on: ": now Bakery, Florist", or nothing. */
  worksFor: string;
  /** What somebody was from then on: ": now Editor", or nothing. */
  role: string;
  /** What a limit was from then on: ": now $500.00", ": now none", or nothing. */
  limit: string;
  /** What was done to many accounts. */
  bulk: string;
  /** "changing 14 plans", which somebody proposed. */
  proposal: string;
  /** What it was to charge: ", $746.47", or nothing. */
  asked: string;
  /** Why it was refused: `: “Too dear”`, or nothing. */
  reason: string;
}

interface Said {
  kind: ActivityKind;
  /** What who did, after their name. */
  words: (told: Told) => string;
  /** All of the sentence, where it happened by itself. */
  byItself?: (told: Told) => string;
}

/** One that is gone, or none. */
export const A_CLIENT = 'a client';

const said =
  (kind: ActivityKind) =>
  (words: string | Said['words']): Said => ({
    kind,
    words: typeof words === 'string' ? () => words : words,
  });
const accounts = said('Accounts');
const plans = said('Plans');
const likes = said('Likes');
const payments = said('Payments');
const team = said('Team and clients');
const signing = said('Log-ins');

/** Every action of the audit log as people read it. */
export const ACTIVITY: Readonly<Record<AuditAction, Said>> = {
  registered: signing('signed up'),
  logged_in: signing('logged in'),
  login_failed: signing('couldn’t log in: the password was wrong'),
  logged_out: signing('logged out'),
  session_ended: signing('logged one of their devices out'),
  sessions_ended: signing('logged out every device'),
  password_changed: signing('changed their password'),
  password_check_failed: signing('entered a wrong password'),
  recovery_requested: signing('asked for a recovery code'),
  recovery_code_refused: signing('entered a wrong recovery code'),
  password_recovered: signing('set a new password with a recovery code'),
  profile_changed: signing('changed their profile'),
  data_exported: signing('exported their data'),
  account_deleted: signing('deleted their Ovation account'),
  account_looked_up: signing('looked this workspace up, for support'),
  limit_reached: signing('tried something too often and was refused'),

  account_connected: accounts(({ account }) => `connected ${account}`),
  account_removed: accounts(({ account }) => `removed ${account}`),
  account_proved: accounts(({ account }) => `proved that ${account} is theirs`),
  username_changed: accounts(({ account }) => `changed the username of ${account}`),
  accounts_tagged: accounts(({ account }) => `changed the tags of ${account}`),
  delivery_settings_changed: accounts(
    ({ account }) => `changed the delivery settings of ${account}`,
  ),

  plan_changed: plans(({ account, amount }) => `changed the plan of ${account}${amount}`),
  plan_change_planned: plans(
    ({ account }) => `planned another plan for ${account}, from its next due date on`,
  ),
  plan_moved: plans(({ account }) => `moved a plan to ${account} from another account`),
  plan_kept: plans(({ account }) => `kept the plan of ${account}`),
  subscription_paid: {
    ...plans(({ account, amount }) => `paid the plan of ${account}${amount}`),
    byItself: ({ account, amount }) => `The plan of ${account} was renewed${amount}`,
  },
  subscription_paused: plans(({ account }) => `paused the plan of ${account}`),
  subscription_resumed: plans(({ account }) => `resumed the plan of ${account}`),
  subscription_cancelled: plans(({ account }) => `canceled the plan of ${account}`),
  subscription_stopped: plans(({ account }) => `stopped the plan of ${account}`),
  subscription_displaced: plans(
    ({ account }) =>
      `put the plan of ${account} on hold: someone else has proved that the account is theirs`,
  ),
  fair_days_added: plans(
    ({ account }) => `added days to the plan of ${account} for days without service`,
  ),
  bulk_started: plans(({ bulk }) => bulk),
  bulk_proposed: plans(({ proposal, asked }) => `proposed ${proposal}${asked}`),
  bulk_approved: plans(({ proposal }) => `approved ${proposal}`),
  bulk_refused: plans(({ proposal, asked, reason }) => `refused ${proposal}${asked}${reason}`),
  bulk_withdrawn: plans(({ proposal }) => `no longer proposes ${proposal}`),
  bulk_stopped: plans(({ bulk }) => bulk),
  bulk_expired: plans(
    ({ proposal }) => `closed a proposal that nobody approved in time: ${proposal}`,
  ),

  order_placed: likes(({ account }) => `ordered extra likes for ${account}`),
  order_replayed: likes(({ account }) => `sent an order for ${account} again`),

  credits_bought: payments(({ amount }) => `bought credits${amount}`),
  credits_corrected: payments('corrected the credits'),
  pack_returned: payments('returned unused credits for a refund'),
  money_back_requested: payments(({ account }) => `asked for money back for ${account}`),
  money_back_approved: payments(({ account }) => `agreed to return the money for ${account}`),
  refunded: payments(({ account }) => `returned the money for ${account}`),
  refund_rejected: payments('couldn’t return a payment: the bank refused'),
  refund_sent_again: payments('sent a refund again'),
  refund_settled: payments('returned a payment another way'),
  payment_disputed: payments(({ amount }) => `learned that a payment is disputed${amount}`),
  dispute_lost: payments(({ amount }) => `lost a dispute over a payment${amount}`),
  dispute_won: payments(({ amount }) => `won a dispute over a payment${amount}`),
  refunded_at_gateway: payments(({ amount }) => `returned a payment${amount}`),
  amount_refused: payments('sent a wrong amount, and was refused'),
  gateway_event_refused: payments('was sent a false message about payments, and refused it'),
  gateway_event_ignored: payments('was sent a message about payments that aren’t ours'),
  card_replaced: payments('replaced the card'),
  tax_id_changed: payments('changed the tax ID'),
  card_token_refused: payments('sent a card that was refused'),
  other_card_returned: payments(
    'paid with a card that wasn’t the one entered, so the money goes back',
  ),
  disputed_card_returned: payments(
    'paid with a card that has a disputed payment, so the money goes back',
  ),
  unknown_payment_asked: payments('asked for a payment that isn’t theirs'),
  cards_detached: payments('removed the saved cards'),
  gateway_customer_deleted: payments('removed what the card gateway kept'),
  approval_limit_changed: team(
    ({ limit }) => `changed the amount above which a second person approves${limit}`,
  ),
  budget_changed: payments(
    ({ account, client, limit }) => `changed the monthly budget of ${account || client}${limit}`,
  ),

  member_invited: team(({ invited }) => `invited ${invited}`),
  invitation_withdrawn: team(({ invited }) => `withdrew the invitation of ${invited}`),
  member_joined: team('joined the workspace'),
  role_changed: team(({ person, role }) => `changed the role of ${person}${role}`),
  spend_limit_changed: team(
    ({ person, limit }) => `changed what ${person} may spend in a month${limit}`,
  ),
  grants_changed: team(
    ({ person, worksFor }) => `changed which clients ${person} works for${worksFor}`,
  ),
  member_removed: team(({ person }) => `removed ${person}`),
  member_left: team('left the workspace'),
  ownership_handed_over: team(({ person }) => `made ${person} the owner`),
  client_added: team(({ client }) => `added ${client}`),
  client_saved: team(({ client }) => `saved ${client}`),
  clients_merged: team(({ client }) => `merged another client into ${client}`),
  client_archived: team(({ client }) => `archived ${client}`),
  client_unarchived: team(({ client }) => `took ${client} out of the archive`),
  report_mail_changed: team(({ client }) => `chose who gets the monthly report of ${client}`),
  report_address_added: team(({ address }) => `added ${address} to those who get reports by email`),
  report_address_confirmed: team(({ address }) => `confirmed ${address} for reports by email`),
  report_mail_stopped: team('unsubscribed from reports by email'),
  alert_mail_stopped: team('unsubscribed from their daily alerts by email'),
  report_brand_changed: team('changed the name or logo on reports'),
  client_of_account_changed: team(({ client }) =>
    client === A_CLIENT ? 'changed the client of accounts' : `moved accounts to ${client}`,
  ),
};

/** What those see of an account who don't see the workspace's money. */
const OF_ACCOUNTS: ReadonlySet<ActivityKind> = new Set(['Accounts', 'Plans', 'Likes']);
/** Of these what is told of a plan when money is, and when its next charge moves. */
const OF_MONEY: ReadonlySet<AuditAction> = new Set(['subscription_paid', 'fair_days_added']);

/** The actions that are read, of one kind or of all. */
export function actionsOf(kind: ActivityKind | undefined, seesAll: boolean): AuditAction[] {
  return (Object.keys(ACTIVITY) as AuditAction[]).filter((action) => {
    const { kind: its } = ACTIVITY[action];
    const isTold = seesAll || (OF_ACCOUNTS.has(its) && !OF_MONEY.has(action));
    return isTold && (kind === undefined || kind === its);
  });
}
