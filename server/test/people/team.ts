import type { Hono } from 'hono';
import { CALLS } from '#shared/contract/calls.ts';
import type { Role } from '#shared/domain/people/may.ts';
import { composeMail } from '#server/mail/compose-mail.ts';
import { type Customer, registerCustomer } from './customers.ts';
import type { TestDeps } from '../test-deps.ts';

export const invite = ({ client, user }: Customer, email: string, role: Role) =>
  client.call(CALLS.inviteMember, { userId: user.id, email, role });

/** The token of the newest invitation mailed to an address. */
export async function tokenFor(deps: TestDeps, email: string): Promise<string> {
  const mails = await deps.database.db
    .selectFrom('owed_mail')
    .select(['workspace_id', 'id', 'payload'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  for (const mail of mails.filter(({ payload }) => payload.kind === 'invitation')) {
    const composed = await composeMail(deps, mail);
    const token =
      composed?.to === email ? /\/join#([\w-]{43})/.exec(composed.text)?.[1] : undefined;
    if (token !== undefined) return token;
  }
  throw new Error(`Nobody has invited ${email}.`);
}

interface Joined extends Customer {
  /** Of their invitation. */
  token: string;
}

/** A new customer who has accepted an owner's invitation and acts in that workspace. */
export async function joinAs(
  deps: TestDeps,
  app: Hono,
  owner: Customer,
  name: string,
  role: Role,
): Promise<Joined> {
  const { client, user } = await registerCustomer(app, deps, name);
  await invite(owner, user.email, role);
  const token = await tokenFor(deps, user.email);
  const { body } = await client.call(CALLS.acceptInvitation, { userId: user.id, token });
  if (!body.data) throw new Error(`joining answered ${body.message ?? ''}`);
  return { client, user: body.data, token };
}
