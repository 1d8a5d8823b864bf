import { type Role, withArticle } from '#shared/domain/may.ts';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import { INVITATION_HOURS } from '#shared/domain/team.ts';
import type { MailContent } from './mail-layout.ts';

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
      `The link works once, for this email address, within ${INVITATION_HOURS} hours.`,
      'Don’t know them? You can ignore this email.',
    ],
    action: { label: 'See the invitation', url },
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
