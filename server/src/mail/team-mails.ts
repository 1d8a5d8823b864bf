import type { ProposalState } from '#shared/domain/accounts/bulk.ts';
import { type Role, withArticle } from '#shared/domain/people/may.ts';
import { formatCents } from '#shared/domain/money/money.ts';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import { INVITATION_HOURS } from '#shared/domain/people/team.ts';
import { ENTERED_BY_CUSTOMER, type MailContent } from './mail-layout.ts';

/**
 * The mail with the link of an invitation. It goes to an address that nobody has shown to be theirs, so it has no
 * word that somebody typed; the page behind the link says who invites.
 */
export function invitationMail(role: Role, url: string): MailContent {
  return {
    subject: `You’re invited to ${PRODUCT_NAME}`,
    heading: 'You’re invited to a workspace',
    paragraphs: [
      `A customer of ${PRODUCT_NAME} invites you to work in their workspace as ${withArticle(role)}. The page behind the link says who they are.`,
      `The link works once, for this email address, for ${INVITATION_HOURS} hours.`,
      'Don’t know them? You can ignore this email.',
    ],
    action: { label: 'See the invitation', url },
    because: ENTERED_BY_CUSTOMER,
  };
}

/** Tells an owner that somebody has accepted. */
export function memberJoinedMail(
  { name, role }: { name: string; role: Role },
  publicUrl: string,
): MailContent {
  return {
    subject: 'Your invitation was accepted',
    heading: 'Your invitation was accepted',
    paragraphs: [`${name} is ${withArticle(role)} in your workspace now.`],
    action: { label: 'Open your team', url: `${publicUrl}/my-team` },
  };
}

/** To every owner, whoever did it: what a plan pays for is somebody else’s account from now on. */
export function planMovedMail(
  { by, from, to }: { by: string; from: string; to: string },
  { publicUrl, supportEmail }: { publicUrl: string; supportEmail: string },
): MailContent {
  return {
    subject: `Your plan for @${from} was moved to @${to}`,
    heading: 'A plan was moved to another account',
    paragraphs: [
      `${by} moved the plan for @${from} to @${to}. New posts by @${to} get its likes from now on. Nothing was charged for this.`,
      `If you didn’t expect this, check who is on your team, and write to ${supportEmail}.`,
    ],
    action: { label: 'Open your team', url: `${publicUrl}/my-team` },
  };
}

/** Tells somebody that they aren't in a workspace any more, whoever decided that. */
export function membershipEndedMail(workspaceName: string): MailContent {
  return {
    subject: 'You’re no longer in a workspace',
    heading: 'You’re no longer in a workspace',
    paragraphs: [
      `You’re no longer a member of ${workspaceName}’s workspace. Your devices keep nothing of it.`,
      'Your own account stays as it is.',
    ],
  };
}

export function ownershipMail(publicUrl: string): MailContent {
  return {
    subject: 'You’re the owner of a workspace now',
    heading: 'You’re the owner of a workspace now',
    paragraphs: [
      'Its owner has handed it over to you. You can invite and remove people, and mails about its payments go to its owners.',
    ],
    action: { label: 'Open your team', url: `${publicUrl}/my-team` },
  };
}

export interface ProposalFacts {
  state: ProposalState;
  by: string;
  /** Why it was refused; null: nobody said. */
  refusal: string | null;
  changes: number;
  todayCents: number;
  monthCents: number;
}

const DECIDED: {
  readonly [State in 'approved' | 'refused' | 'expired']: readonly [string, string];
} = {
  approved: ['Your changes were approved', 'They are being made now, at today’s prices.'],
  refused: ['Your changes were refused', 'Nothing was changed, and nothing was charged.'],
  expired: [
    'Your changes were not approved in time',
    'Nobody decided about them within 72 hours. Nothing was changed, and nothing was charged.',
  ],
};

/** Asks somebody to approve changes, as long as they wait; or tells whoever proposed them what became of them. */
export function proposalMail(
  kind: 'bulk_proposed' | 'bulk_decided',
  { state, by, refusal, changes, todayCents, monthCents }: ProposalFacts,
  publicUrl: string,
): MailContent | undefined {
  const what = `${countOf(changes)} of connected accounts`;
  const month = `${formatCents(Math.abs(monthCents))} ${monthCents < 0 ? 'less' : 'more'} a month`;
  const cost = `${formatCents(todayCents)} today, and ${month}`;
  const action = { label: 'Open your accounts', url: `${publicUrl}/my-subscriptions` };
  if (kind === 'bulk_proposed') {
    if (state !== 'proposed') return undefined;
    const heading = 'Changes are waiting for your approval';
    const paragraphs = [
      `${by} has proposed ${what}: ${cost}.`,
      'Prices are checked again when you look at them. After 72 hours they can no longer be approved.',
    ];
    return { subject: heading, heading, paragraphs, action };
  }
  if (state === 'proposed' || state === 'withdrawn') return undefined;
  const [heading, sentence] = DECIDED[state];
  return {
    subject: heading,
    heading,
    paragraphs: [
      `You had proposed ${what}. ${sentence}`,
      ...(refusal === null ? [] : [`The reason: ${refusal}`]),
    ],
    action,
  };
}

export interface OperationFacts {
  /** Null: they have left. */
  by: string | null;
  isUndo: boolean;
  done: number;
  /** Of them, plans of accounts that had none. */
  begun: number;
  failed: number;
  /** By somebody, while they waited; none of them failed. */
  stopped: number;
  chargedCents: number;
  monthCents: number;
}

const countOf = (count: number): string =>
  count === 1 ? '1 change' : `${count.toLocaleString('en-US')} changes`;

/** One mail about the plans of many accounts, in place of one for each. */
export function operationMail(
  { by, isUndo, done, begun, failed, stopped, chargedCents, monthCents }: OperationFacts,
  publicUrl: string,
): MailContent {
  const what = isUndo
    ? 'were changed back'
    : begun === done && begun > 0
      ? 'began'
      : 'were changed';
  const heading = `Plans of many accounts ${what}`;
  const news = begun > 0 ? ` New plans that began: ${begun.toLocaleString('en-US')}.` : '';
  const wrong =
    failed > 0 ? ` ${countOf(failed)} couldn’t be made; “Recent changes” says why.` : '';
  const left =
    stopped > 0
      ? ` ${countOf(stopped)} ${stopped === 1 ? 'was' : 'were'} stopped and not made.`
      : '';
  const difference = `${formatCents(Math.abs(monthCents))} ${monthCents < 0 ? 'less' : 'more'}`;
  return {
    subject: heading,
    heading,
    paragraphs: [
      `${by ?? 'Someone who has left'} made ${countOf(done)}.${news}${left}${wrong}`,
      chargedCents > 0
        ? `${formatCents(chargedCents)} was charged in all. Billing lists each payment.`
        : 'Nothing was charged.',
      ...(monthCents === 0 ? [] : [`All these plans together now cost ${difference} a month.`]),
    ],
    action: { label: 'Open your accounts', url: `${publicUrl}/my-subscriptions` },
  };
}
