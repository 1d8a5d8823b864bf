import { formatCents } from '#shared/domain/money/money.ts';
import {
  amountRange,
  MONEY_BACK_TIMES,
  MONEY_REACHES_BANK,
} from '#shared/domain/money/money-back-words.ts';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import type { Mail } from '#server/adapters/mail/mailer.ts';
import type { Tx } from '#server/kit/db/database.ts';
import type { DeletedAccount, MailPayload } from '#server/kit/db/tables/owed-mail.table.ts';
import type { Deps } from '#server/kit/deps.ts';
import { openSecret, sealSecret } from '#server/kit/sealed-secret.ts';
import { layOutMail, type MailContent } from './mail-layout.ts';
import { insertOperatorMail, type OwedMailRow } from './owed-mail.repository.ts';

/** What the address of somebody who is gone is sealed for. */
const DELETED_ADDRESS_SEAL = 'deleted-address';

/**
 * Owes somebody the last mail, of the transaction that deletes them. Nobody has their address any more, so the row
 * does, sealed, until it is sent.
 */
export async function insertDeletionMail(
  tx: Tx,
  { ids, random, settings }: Pick<Deps, 'ids' | 'random' | 'settings'>,
  { email, now, ...facts }: DeletedAccount & { email: string; now: Date },
): Promise<void> {
  const keys = { appSecret: settings.appSecret, random };
  const sealedAddress = sealSecret(keys, DELETED_ADDRESS_SEAL, email);
  const payload = { kind: 'account_deleted', sealedAddress, ...facts } as const;
  await insertOperatorMail(tx, { id: ids.uuid(), payload, now });
}

export function composeDeletion(
  { settings }: Pick<Deps, 'settings'>,
  { id }: Pick<OwedMailRow, 'id'>,
  { sealedAddress, ...facts }: Extract<MailPayload, { kind: 'account_deleted' }>,
): Mail | undefined {
  const to = openSecret(settings.appSecret, DELETED_ADDRESS_SEAL, sealedAddress);
  if (to === undefined) return undefined;
  return { id, to, ...layOutMail(accountDeletedMail(facts, settings.supportEmail), settings) };
}

/** What became of an account and its money, and what is kept; the settings page has said the same beforehand. */
export function accountDeletedMail(facts: DeletedAccount, supportEmail: string): MailContent {
  return {
    subject: `Your ${PRODUCT_NAME} account was deleted`,
    heading: 'Your account was deleted',
    paragraphs: [
      'Your name, addresses, accounts and posts are deleted. All your plans and deliveries in progress have stopped, and you won’t be charged again.',
      ...(facts.hasLeftOthers ? ['The workspaces you shared continue without you.'] : []),
      ...moneyOnItsWay(facts),
      'We keep payment records as long as tax law requires, and a log of what was changed, both without your name. Invoices stay without your name and address. What you wrote to support stays in the support mailbox. We have the payment gateway delete your cards now, and your email address once no payment or refund is open.',
      'This is the last email about this account. We delete your email address once it’s sent.',
      `If this wasn’t you, someone knew your password. We can’t bring the account back, but write to ${supportEmail}.`,
    ],
    because: `You’re getting this email because your account with ${PRODUCT_NAME} was deleted.`,
  };
}

function moneyOnItsWay({ owedCents, requested }: DeletedAccount): string[] {
  if (owedCents === 0 && !requested) return ['No refund is open.'];
  const owed = `${formatCents(owedCents)} still goes back to the card you paid with. ${MONEY_REACHES_BANK}`;
  return [
    ...(owedCents > 0 ? [owed] : []),
    ...(requested
      ? [
          `You’ve asked for ${amountRange(requested.leastCents, requested.mostCents)} back. It will still be paid. ${MONEY_BACK_TIMES}`,
        ]
      : []),
  ];
}
