import { expect, test } from 'vitest';
import { getPlan } from '#shared/domain/money/plans.ts';
import {
  passwordChangedMail,
  recoveryCodeMail,
  supportTicketMail,
  welcomeMail,
} from './account-mails.ts';
import {
  cardReplacedMail,
  paymentDeclinedMail,
  planChangedMail,
  planChangePlannedMail,
  receiptMail,
  refundMail,
  renewalReminderMail,
  renewalToConfirmMail,
} from './billing-mails.ts';
import {
  endingMail,
  fairDaysMail,
  moneyBackMail,
  accountFreeMail,
  pausedMail,
  resumedMail,
  stoppedMail,
} from './cancellation-mails.ts';
import { accountDeletedMail } from './deletion-mail.ts';
import { disputeDecidedMail, disputeNoticeMail } from './dispute-mails.ts';
import { layOutMail, type MailContent } from './mail-layout.ts';
import { likesDeliveredMail, partlyDeliveredMail } from './order-mails.ts';
import { planMovedMail } from './team-mails.ts';

const url = 'https://ovation.example';
// Late evening in UTC, still the afternoon of the day before in Honolulu.
const at = new Date('2026-11-21T02:30:00Z');
const subscription = { igUsername: 'ada', likes: '1,000', timeZone: 'Pacific/Honolulu' };
const charge = {
  description: 'Monthly plan: 1,000 likes per post',
  igUsername: 'ada',
  amountCents: 123_450,
  brand: 'Visa',
  lastDigits: '242',
  paidAt: at,
  timeZone: 'Pacific/Honolulu',
  chargeId: 'c-1',
};
const words = ({ subject, heading, paragraphs }: MailContent): string =>
  [subject, heading, ...paragraphs].join('\n');

const pause = {
  pausesAt: '2026-11-23T05:00:00.000Z',
  resumesAt: '2026-12-01T05:00:00.000Z',
  nextBillingAt: '2026-12-30T17:00:00.000Z',
};

const SHORT_ORDER = {
  igUsername: 'ada',
  ordered: 1050,
  delivered: 400,
  reason: 'The post was deleted.',
};
const DONE = {
  igUsernames: ['ada'],
  posts: 1,
  ordered: 1000,
  bonus: 70,
  delivered: 1070,
  tookMs: 540_000,
  postId: '17900',
};
const notice = {
  chargeId: 'c-1',
  disputeId: 'dp_1',
  gatewayChargeId: 'pi_1',
  amountCents: 123_450,
} as const;
const decided = { amountCents: 123_450, takenCredits: 0, outcome: 'won' } as const;
const ALL: Record<string, MailContent> = {
  welcome: welcomeMail(url),
  code: recoveryCodeMail('482910', 10),
  password: passwordChangedMail('support@example.test'),
  card: cardReplacedMail(
    { brand: 'Visa', lastDigits: '242' },
    { publicUrl: url, supportEmail: 'support@example.test' },
  ),
  moved: planMovedMail(
    { by: 'Dana', from: 'ada', to: 'bo' },
    { publicUrl: url, supportEmail: 'support@example.test' },
  ),
  deleted: accountDeletedMail(
    { owedCents: 0, requested: null, hasLeftOthers: false },
    'support@example.test',
  ),
  deletedOwing: accountDeletedMail(
    { owedCents: 1234, requested: { leastCents: 986, mostCents: 1700 }, hasLeftOthers: true },
    'support@example.test',
  ),
  ticket: supportTicketMail({ ticketId: 't', name: 'Bo', email: 'b@c.de', message: 'Hello' }),
  inquiry: disputeNoticeMail({ ...notice, step: 'inquiry' }),
  disputeOpen: disputeNoticeMail({ ...notice, step: 'open' }),
  disputeLost: disputeNoticeMail({ ...notice, step: 'lost' }),
  disputeWon: disputeNoticeMail({ ...notice, step: 'won' }),
  stands: disputeDecidedMail(charge, decided, url),
  standsAndRuns: disputeDecidedMail(charge, { ...decided, planUntil: at.toISOString() }, url),
  receipt: receiptMail(charge, url),
  reminder: renewalReminderMail(subscription, { amountCents: 7500, at }, url),
  declined: paymentDeclinedMail(
    subscription,
    { amountCents: 7500, nextTryAt: at, postsWaitSince: at, isCardDisputed: false },
    url,
  ),
  disputed: paymentDeclinedMail(
    subscription,
    { amountCents: 7500, nextTryAt: at, postsWaitSince: at, isCardDisputed: true },
    url,
  ),
  expired: paymentDeclinedMail(
    subscription,
    { amountCents: 7500, nextTryAt: undefined, postsWaitSince: at, isCardDisputed: false },
    url,
  ),
  expiredDisputed: paymentDeclinedMail(
    subscription,
    { amountCents: 7500, nextTryAt: undefined, postsWaitSince: at, isCardDisputed: true },
    url,
  ),
  toConfirm: renewalToConfirmMail(
    subscription,
    { amountCents: 7500, nextTryAt: at, until: at, postsWaitSince: at },
    url,
  ),
  neverConfirmed: renewalToConfirmMail(
    subscription,
    { amountCents: 7500, nextTryAt: undefined, until: at, postsWaitSince: at },
    url,
  ),
  refund: refundMail(charge, 5000, url),
  fair: fairDaysMail(
    subscription,
    { days: [{ localDay: '2026-11-20', cause: 'unreadable' }], until: at, isStopping: false },
    url,
  ),
  planChanged: planChangedMail(subscription, getPlan(4), url),
  planChangePlanned: planChangePlannedMail(subscription, { plan: getPlan(1), startsAt: at }, url),
  ending: endingMail(subscription, { endsAt: at, isPaused: false }, url),
  endingWhilePaused: endingMail(subscription, { endsAt: at, isPaused: true }, url),
  stopped: stoppedMail(subscription, at, url),
  accountFree: accountFreeMail(subscription, at, url),
  paused: pausedMail(subscription, pause, url),
  pausedBefore: pausedMail(subscription, { resumesAt: pause.resumesAt }, url),
  resumed: resumedMail(subscription, at, url),
  requested: moneyBackMail(
    subscription,
    { step: 'Requested', amountCents: 7500, mostCents: 7500, at },
    url,
  ),
  approved: moneyBackMail(
    subscription,
    { step: 'Approved', amountCents: 7500, mostCents: 7500, at },
    url,
  ),
  paid: moneyBackMail(subscription, { step: 'Paid', amountCents: 7500, mostCents: 7500, at }, url),
  partial: partlyDeliveredMail({ ...SHORT_ORDER, returns: 'nothing' }, url),
  'partial of our side': partlyDeliveredMail({ ...SHORT_ORDER, returns: 'value' }, url),
  'partial with credits': partlyDeliveredMail({ ...SHORT_ORDER, returns: 'credits' }, url),
  delivered: likesDeliveredMail(DONE, url),
  'delivered together': likesDeliveredMail(
    { ...DONE, posts: 9, igUsernames: ['ada', 'ben', 'cem', 'dee', 'eve'] },
    url,
  ),
};

test.each(Object.entries(ALL))('the %s mail is calm: no exclamation, no urgency', (_, mail) => {
  expect(words(mail)).not.toMatch(/!|simply|hurry|now or never|undefined|null/i);
  expect(mail.subject.length).toBeGreaterThan(0);
  expect(mail.subject).not.toContain('\n');
});

test('amounts and days stand in full, in the zone of the subscription', () => {
  expect(words(ALL['receipt'] as MailContent)).toMatch(
    /\$1,234\.50 for @ada[\s\S]*November 20, 2026, with your Visa card ending in 242/,
  );
  expect(words(ALL['reminder'] as MailContent)).toMatch(
    /@ada renews on November 20, 2026, for \$75\.00/,
  );
  expect(words(ALL['requested'] as MailContent)).toContain(
    'approve your request no later than November 20, 2026',
  );
});

test('a decline says that nothing was charged, when it is tried again, and what helps', () => {
  const { action } = ALL['declined'] as MailContent;
  expect(words(ALL['declined'] as MailContent)).toMatch(/You were not charged[\s\S]*November 20/);
  expect(action?.label).toBe('Replace card');
  expect(words(ALL['expired'] as MailContent)).toContain('Your plan for @ada has ended');
});

test('a renewal that a dispute of its card held back says so, and blames no bank', () => {
  for (const kind of ['disputed', 'expiredDisputed']) {
    const mail = words(ALL[kind] as MailContent);
    expect(mail).toContain('was disputed at the bank');
    expect(mail).toContain('You were not charged');
    expect(mail).not.toContain('declined');
  }
  expect(ALL['disputed']?.subject).toBe('We can’t charge your saved card $75.00');
});

test('a renewal that the bank asks about says until when, leads to one page, and nothing was charged', () => {
  const { subject, action } = ALL['toConfirm'] as MailContent;
  expect(subject).toBe('Your bank asks you to confirm $75.00');
  expect(words(ALL['toConfirm'] as MailContent)).toMatch(
    /You were not charged[\s\S]*confirm it by November 20, 2026, or your plan ends/,
  );
  expect(action).toEqual({ label: 'Confirm the payment', url: `${url}/my-billing` });
  expect(words(ALL['neverConfirmed'] as MailContent)).toMatch(
    /plan for @ada has ended[\s\S]*You were not charged/,
  );
});

test('a plan change says its likes and its price, a planned one its day and what holds until then', () => {
  expect(words(ALL['planChanged'] as MailContent)).toContain('500 likes each');
  expect(words(ALL['planChanged'] as MailContent)).toContain('$48.00 a month');
  expect(words(ALL['planChangePlanned'] as MailContent)).toContain(
    'Starting November 20, 2026, you pay $9.99 a month for 50 likes per post. Nothing changes until then.',
  );
});

test('a refund and a paid money back say how long banks take', () => {
  for (const kind of ['refund', 'approved', 'paid']) {
    expect(words(ALL[kind] as MailContent)).toContain('7 to 10 business days');
  }
});

test('the mail after a deletion says what goes back, what stays, and why it comes', () => {
  expect(words(ALL['deletedOwing'] as MailContent)).toMatch(
    /\$12\.34 still goes back[\s\S]*You’ve asked for \$9\.86 to \$17\.00 back\. It will still be paid\./,
  );
  expect(words(ALL['deleted'] as MailContent)).toMatch(
    /No refund is open\.[\s\S]*payment records as long as tax law requires/,
  );
  const sender = { supportEmail: 'help@example.test', operatorIdentity: undefined };
  const { text, html } = layOutMail(ALL['deleted'] as MailContent, sender);
  for (const each of [text, html]) expect(each).not.toContain('you have an account');
});

test('an order delivered in part says how much, why, and promises only what surely returns', () => {
  expect(words(ALL['partial'] as MailContent)).toMatch(
    /400 of 1,050 likes[\s\S]*The post was deleted\.[\s\S]*Plan likes don’t come back/,
  );
  expect(words(ALL['partial of our side'] as MailContent)).toContain(
    'Likes that didn’t arrive come back as credits of the same value.',
  );
  expect(words(ALL['partial with credits'] as MailContent)).toContain(
    'The credits for likes you didn’t get come back within the hour.',
  );
});

test('likes that are done: how many, what of it was a bonus, how long it took, and the receipt', () => {
  expect(words(ALL['delivered'] as MailContent)).toMatch(
    /for @ada\n1,070 likes delivered[\s\S]*1,000 were ordered, and 70 more came as a bonus\.\nIt took 9 minutes/,
  );
  const together = ALL['delivered together'] as MailContent;
  expect(together.subject).toBe('Likes delivered for 5 accounts');
  expect(words(together)).toContain('9 posts on @ada, @ben, @cem and 2 others got 1,070 likes.');
});

test('every link leads to the page that has what it names', () => {
  const links = Object.values(ALL).flatMap(({ action }) =>
    action ? [`${action.label}: ${action.url.slice(url.length)}`] : [],
  );
  expect([...new Set(links)].sort()).toEqual([
    'Confirm the payment: /my-billing',
    'Open your dashboard: /dashboard',
    'Open your subscriptions: /my-subscriptions',
    'Open your team: /my-team',
    'Replace card: /my-billing',
    'See all payments: /my-billing',
    'See the receipt: /dashboard',
    'See this receipt: /dashboard?post=17900',
    'See your receipts: /dashboard',
  ]);
});

test('each email names who runs the product, once that is configured', () => {
  const sender = { supportEmail: 'help@example.test', operatorIdentity: undefined };
  const welcome = ALL['welcome'] as MailContent;
  expect(layOutMail(welcome, sender).text).toMatch(/Questions\? Write to help@example\.test\n$/);
  const operatorIdentity = { name: 'Acme Inc.', address: '1 Main Street', taxId: '12-3456789' };
  const { text, html } = layOutMail(welcome, { ...sender, operatorIdentity });
  expect(text).toContain('Ovation is run by Acme Inc., 1 Main Street. Tax ID 12-3456789.');
  expect(html).toContain('Ovation is run by Acme Inc., 1 Main Street. Tax ID 12-3456789.');
});
