import { wipeOtherReplicas } from '#web/replica/engine/teardown.ts';
import type { Services } from '#web/platform/services.ts';
import { endOtherTabs } from './begin-session.ts';
import { endOnServer, forgetCustomer } from './end-of-session.ts';
import { MAYBE_LOGGED_IN } from './use-log-out.ts';

/**
 * Logs out on a page outside of the customer's own, or says what went wrong. Whatever anybody left here goes, but for
 * changes that were never sent: those wait for their next log-in.
 */
export async function logOutOutside(
  services: Services,
  userId: string,
): Promise<string | undefined> {
  const { markers, platform } = services;
  await wipeOtherReplicas('', endOtherTabs).catch((error: unknown) =>
    platform.report('The replica could not be wiped', error),
  );
  forgetCustomer(services);
  await platform.push?.unsubscribe();
  await platform.forgetPictures();
  if (!(await endOnServer(services))) return MAYBE_LOGGED_IN;
  markers.clear(userId);
  return undefined;
}
