import { type Kysely, sql } from 'kysely';
import { SYNCED, triggersOf } from './0008-sync-triggers.ts';

const preference = SYNCED.find(({ table }) => table === 'user_preference');
if (!preference) throw new Error('user_preference is not synced');

const STATEMENTS = [
  ...['insert', 'update', 'delete', 'late', 'late_update'].map(
    (name) => `drop trigger sync_${name} on user_preference`,
  ),
  `drop function sync_user_preference()`,
  `alter table user_preference add column likes_done_mail boolean not null default false`,
  ...triggersOf({ ...preference, seen: preference.seen.replace(/\)$/, ', @.likes_done_mail)') }),
];

/** Whoever wants to is mailed when the likes of an order are done. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
