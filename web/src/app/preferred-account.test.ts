import { expect, test } from 'vitest';
import type { AccountChange, UserChange } from '#shared/sync/entities.ts';
import { activeAccountOf } from '../platform/client-state.ts';
import { accountExample, userExample } from '../testing/examples.ts';
import { preferredAccount } from './preferred-account.ts';

const account = (igUsername: string): AccountChange => ({
  ...accountExample({ igUsername }),
  accountId: `id-of-${igUsername}`,
  connectedAt: '2026-11-21T09:00:00.000Z',
});
const accounts = [account('ada.paints'), account('ada.writes'), account('ada.sings')];
const [paints, , sings] = accounts.map(activeAccountOf);
const user = userExample({ defaultIgUsername: 'ada.paints' });

const localUser = (activeAccountId: string | null): UserChange => ({
  id: user.id,
  name: user.name,
  email: user.email,
  phone: user.phone,
  timeZone: user.timeZone,
  package: 1,
  inSubscription: true,
  defaultAccountId: 'id-of-ada.paints',
  isDemoData: false,
  preferences: { density: 'comfortable', activeAccountId, pinnedAccountIds: [] },
});
const shown = (activeAccount: typeof paints | null, activeAccountId: string | null) =>
  preferredAccount(
    { activeAccount: activeAccount ?? null, user },
    { user: localUser(activeAccountId), accounts },
  )?.activeusername;

test('a new device shows the account that was shown last on another', () => {
  expect(shown(paints, 'id-of-ada.writes')).toBe('ada.writes');
});

test('an account chosen on this device stays, and so does the default where none was chosen', () => {
  expect(shown(sings, 'id-of-ada.writes')).toBeUndefined();
  expect(shown(paints, null)).toBeUndefined();
  expect(shown(paints, 'id-of-one-that-is-gone')).toBeUndefined();
  expect(shown(null, 'id-of-ada.writes')).toBeUndefined();
});
