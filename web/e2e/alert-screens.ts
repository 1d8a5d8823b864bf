import type { Page } from 'playwright-core';
import { HOUR_MS } from '#shared/domain/durations.ts';
import { UNREADABLE } from '#web/replica/store/entity-shape.ts';
import { rewriteReplica } from './local-rows.ts';
import type { Screen } from './screens.ts';

const BEGUN_MS = Date.now();
const inHours = (hours: number): string => new Date(BEGUN_MS + hours * HOUR_MS).toISOString();

/** The browser’s replica says that an account can’t be read, and that budgets are spent. */
async function haveAlerts(page: Page): Promise<void> {
  const month = inHours(0).slice(0, 7);
  const [reachedAt, until] = [inHours(-2), inHours(30 * 24)];
  const reached = { accountId: null, limit: 400, month, reachedAt, until };
  const unread = { problem: 'unreadable', unreadableSince: inHours(-1) };
  await rewriteReplica(
    page,
    ['wallet', { reachedBudgets: [reached] }],
    ['account', unread, [UNREADABLE]],
  );
  await page.getByText(/budget of \$400.00 is used up/).waitFor();
}

/** What somebody may have to act on; they leave that in the browser’s replica. */
export const ALERT_SCREENS: Screen[] = [
  {
    name: 'no alerts',
    path: '/my-alerts',
    open: (page) => page.getByRole('heading', { name: 'Nothing needs your attention' }).waitFor(),
  },
  { name: 'alerts', path: '/my-alerts', open: haveAlerts },
  {
    name: 'a kind of alerts about to be muted',
    path: '/my-alerts',
    open: async (page) => {
      await haveAlerts(page);
      await page.getByRole('button', { name: /^Mute: Budget/ }).click();
      await page.getByRole('menuitem', { name: 'Mute for all accounts' }).waitFor();
    },
  },
];
