import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { figure } from '#web/ui/words/figures.ts';

/** As many accounts as are named; the others are counted. */
const NAMED = 3;

/** "@a and @b", "@a, @b, @c, and 997 more" */
export function namesInWords(
  accounts: ReadonlyArray<Pick<ConnectedAccount, 'igUsername'>>,
): string {
  const names = accounts.map(({ igUsername }) => `@${igUsername}`);
  const more = names.length - NAMED;
  // One more name takes no more room than saying so.
  const told = more > 1 ? [...names.slice(0, NAMED), `${figure(more)} more`] : names;
  return new Intl.ListFormat('en-US').format(told);
}
