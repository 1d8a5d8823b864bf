import { type LocalDatabase, wipeLocalDatabase } from '../local-db/local-database.ts';
import { mayOutliveSession } from '../local-db/local-session.ts';
import { EMPTY_CLIENT_STATE } from '../platform/client-state.ts';
import type { Services } from '../platform/services.ts';

/**
 * How a customer's pages end. After a log-out the local copy goes; when the session merely ended it
 * stays for the next log-in, unless the customer chose not to be kept signed in (D2).
 */
export type EndOfSession = 'logged_out' | 'session_ended';

/** Tidies up once no page reads the local copy any more. */
export async function tidyUp(
  services: Services,
  end: EndOfSession,
  userId: string,
  db: LocalDatabase,
): Promise<void> {
  if (end === 'session_ended' && (await mayOutliveSession(db))) return;
  services.state.setState(EMPTY_CLIENT_STATE);
  db.close();
  await wipeLocalDatabase(userId);
}
