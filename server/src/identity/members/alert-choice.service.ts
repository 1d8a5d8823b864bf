import { changeMutes } from '#shared/domain/accounts/alert.ts';
import { nextDigestAt } from '#shared/domain/accounts/alert-digest.ts';
import type { ParsedMutationArgs } from '#shared/sync/mutations.ts';
import type { Tx } from '#server/kit/db/database.ts';
import type { InWorkspace } from '#server/kit/db/people.ts';
import { findPersonZone } from './membership.repository.ts';
import { lockAlertChoice, setAlertChoice } from './alert-choice.repository.ts';

/** Keeps what somebody has read, muted, or wants mailed. What is left out stays; what is read stays read. */
export async function saveAlertChoice(
  tx: Tx,
  person: InWorkspace,
  { readUntil, mailHour, mute }: ParsedMutationArgs<'setAlerts'>,
  now: Date,
): Promise<void> {
  const before = await lockAlertChoice(tx, person);
  // Nobody has read what is still to come.
  const readMs = readUntil === undefined ? 0 : Math.min(Date.parse(readUntil), now.getTime());
  const isRead = readMs > (before.read_until?.getTime() ?? 0);
  await setAlertChoice(tx, person, {
    ...(isRead && { read_until: new Date(readMs) }),
    ...(mute && { mutes: changeMutes(before.mutes, mute, mute.isOn) }),
    ...(mailHour === null && { mail_hour: null, mail_at: null }),
    ...(typeof mailHour === 'number' && {
      mail_hour: mailHour,
      mail_at: await firstMailAt(tx, person, { hour: mailHour, mailedOn: before.mailed_on }, now),
    }),
  });
}

async function firstMailAt(
  tx: Tx,
  person: InWorkspace,
  choice: { hour: number; mailedOn: string | null },
  now: Date,
): Promise<Date> {
  const timeZone = await findPersonZone(tx, person);
  return new Date(nextDigestAt(now.getTime(), { ...choice, timeZone }));
}
