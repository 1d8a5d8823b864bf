import type { User } from '#shared/contract/people/user.ts';
import { LocalDatabase } from '#web/replica/store/local-database.ts';
import { keepsSignedIn } from '#web/replica/store/session.ts';
import type { Services } from '#web/platform/services.ts';
import { beginSession } from './begin-session.ts';

/**
 * Continues the session as its person in another workspace, which is to this device as if somebody else had logged
 * in: what `before` left here goes, but for changes that were never sent, and nothing in memory is taken along.
 */
export async function continueAs(services: Services, before: string, user: User): Promise<void> {
  const { platform, paths } = services;
  const db = new LocalDatabase(before);
  const isKept = await keepsSignedIn(db).catch(() => false);
  db.close();
  await beginSession(services, user, isKept);
  platform.restartAt(user.inSubscription ? paths.dashboard : paths.subscriptions);
}
