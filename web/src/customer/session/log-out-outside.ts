import type { Services } from '#web/platform/services.ts';
import { wipeOthers } from './begin-session.ts';
import { endOnServer, forgetCustomer, forgetOutside } from './end-of-session.ts';
import { MAYBE_LOGGED_IN } from './use-log-out.ts';

const NOBODY = '';

/**
 * Logs out on a page outside of the customer's own, or says what went wrong. Whatever anybody left here goes, but for
 * changes that were never sent: those wait for their next log-in.
 */
export async function logOutOutside(
  services: Services,
  userId: string,
): Promise<string | undefined> {
  const { markers, platform } = services;
  await wipeOthers(platform, NOBODY);
  forgetCustomer(services);
  await forgetOutside(platform);
  if (!(await endOnServer(services))) return MAYBE_LOGGED_IN;
  markers.clear(userId);
  return undefined;
}
