import type { Page } from 'playwright-core';
import { UNREADABLE } from '#web/replica/store/entity-shape.ts';
import { openAnew } from './open-screen.ts';
import { rewriteRows } from './local-rows.ts';
import type { Screen } from './screens.ts';

const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();

/** The browser’s replica says that an account can’t be read, and that budgets are spent. */
async function haveAlerts(page: Page): Promise<void> {
  const inAMonth = new Date(Date.now() + 30 * 86_400_000).toISOString();
  const month = new Date().toISOString().slice(0, 7);
  const reached = { accountId: null, limit: 400, month, reachedAt: hoursAgo(2), until: inAMonth };
  await rewriteRows(page, 'wallet', { reachedBudgets: [reached] });
  const unread = { problem: 'unreadable', unreadableSince: hoursAgo(1) };
  await rewriteRows(page, 'account', unread, [UNREADABLE]);
  await openAnew(page);
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
