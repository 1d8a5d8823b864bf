import type { Customer } from '../components/customer.ts';
import { mayOutliveSession } from '../local-db/local-session.ts';
import { wipeLocalCopy } from '../local-db/wipe-local-copy.ts';
import { forgetDensity } from '../platform/density.ts';
import type { Services } from '../platform/services.ts';

/**
 * How a customer's pages end. After a log-out the local copy goes; when the session merely ended it
 * stays for the next log-in, unless the customer chose not to be kept signed in (D2). `released`:
 * another tab logged out and wipes the copy.
 */
export type EndOfSession = 'logged_out' | 'session_ended' | 'released';

/** Tidies up once no page reads the local copy any more. */
export async function tidyUp(
  services: Services,
  end: EndOfSession,
  { sync, db, userId }: Pick<Customer, 'sync' | 'db' | 'userId'>,
): Promise<void> {
  if (end === 'session_ended' && (await mayOutliveSession(db))) return;
  // Before the state is emptied: another tab would else write its own again.
  if (end !== 'released') await sync.release();
  services.state.forget();
  forgetDensity(services.platform);
  db.close();
  if (end !== 'released') await wipeLocalCopy(userId);
}
