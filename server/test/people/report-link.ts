import { composeMail } from '#server/mail/compose-mail.ts';
import type { TestDeps } from '../test-deps.ts';

/** The token in the newest mail that asks an address whether it wants reports. */
export async function reportLink(deps: TestDeps, email: string): Promise<string> {
  const mails = await deps.database.db
    .selectFrom('owed_mail')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  for (const mail of mails.filter(({ payload }) => payload.kind === 'report_confirmation')) {
    const composed = await composeMail(deps, mail);
    const token =
      composed?.to === email ? /\/get-reports#([\w-]{43})/.exec(composed.text)?.[1] : undefined;
    if (token !== undefined) return token;
  }
  throw new Error(`Nobody has asked ${email}.`);
}
