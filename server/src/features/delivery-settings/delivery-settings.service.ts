import type { DeliverySettings, findDeliverySettings } from '#shared/contract/account-changes.ts';
import type { CallData } from '#shared/contract/call.ts';
import { findPlan } from '#shared/domain/plans.ts';
import { ApiError } from '../../api-error.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { limit, LIMITS } from '../../http/rate-limit.ts';
import { type AccountRow, findAccountByIgId } from '../accounts/account.repository.ts';
import { lockAccount, lockWatch } from '../accounts/account-rename.repository.ts';
import { accountUnreadable } from '../accounts/account-unreadable.ts';
import { lookUpAccount, type ReadAccount } from '../accounts/look-up-account.ts';
import { appendAudit } from '../audit/audit.repository.ts';
import { findUnendedSubscription } from '../billing/subscription.repository.ts';
import {
  lockUnendedSubscription,
  retakeBaseline,
} from '../billing/subscription-target.repository.ts';
import { storePosts } from '../posts/post.repository.ts';
import { setDeliverySettings, viewDeliverySettings } from './delivery-settings.repository.ts';

type SettingsDeps = Pick<
  Deps,
  'clock' | 'database' | 'log' | 'network' | 'provider' | 'random' | 'settings'
>;
type SettingsAnswer = CallData<typeof findDeliverySettings>;

/** Settings a customer wants for an account. */
export interface Wish {
  workspaceId: string;
  userId: string;
  igId: string;
  settings: DeliverySettings;
}

/** @throws ApiError `not_yours` */
export async function viewSettings(
  deps: SettingsDeps,
  { workspaceId, igId }: { workspaceId: string; igId: string },
): Promise<SettingsAnswer> {
  const { db } = deps.database;
  const account = await findAccountByIgId(db, workspaceId, igId);
  if (!account) throw notYours();
  const subscription = await findUnendedSubscription(db, workspaceId, account.id);
  return {
    settings: viewDeliverySettings(account),
    backlogMinutes: await readBacklog(deps),
    planLikes: (subscription && findPlan(subscription.package)?.likes) ?? null,
  };
}

/** Minutes; 0 while the provider can't be asked: no notice without its word for it. */
async function readBacklog({ provider, log }: SettingsDeps): Promise<number> {
  const outcome = await provider.readCapacity();
  if (outcome.kind === 'answered') return outcome.answer.backlogMinutes;
  log.warn('provider capacity unknown', { reason: outcome.kind });
  return 0;
}

/**
 * Saves the settings; they hold for posts that are decided from now on. Switching automatic likes on
 * takes the baseline again (D7): what was posted meanwhile isn't new.
 * @throws ApiError `not_yours`, `rate_limited`; when switching on, those of `lookUpAccount`, and nothing is saved
 */
export async function saveSettings(deps: SettingsDeps, wish: Wish): Promise<SettingsAnswer> {
  const reading = await readForSettings(deps, wish);
  const outcome = await deps.database.transaction((tx) => storeSettings(deps, tx, wish, reading));
  // Switched off, or paid for, by another request in between: now a reading is needed, or none.
  if (outcome === 'needs_reading') return saveSettings(deps, wish);
  return viewSettings(deps, wish);
}

/**
 * What must be asked of the network before the settings can be stored; undefined when nothing must. Counted as
 * one saving of the account's settings.
 * @throws ApiError as `saveSettings`
 */
export async function readForSettings(
  deps: Omit<SettingsDeps, 'provider'>,
  { workspaceId, igId, settings }: Wish,
): Promise<ReadAccount | undefined> {
  const { db } = deps.database;
  const account = await findAccountByIgId(db, workspaceId, igId);
  if (!account) throw notYours();
  await limit(deps, { ...LIMITS.settings, key: account.id });
  if (!settings.automaticLikes || account.automatic_likes) return undefined;
  const subscription = await findUnendedSubscription(db, workspaceId, account.id);
  if (!subscription) return undefined;
  const reading = await lookUpAccount(deps, { workspaceId, igUsername: account.ig_username });
  if (reading.account.igId !== igId) throw accountUnreadable(account.ig_username);
  return reading;
}

/** @throws ApiError `not_yours` */
export async function storeSettings(
  deps: Pick<Deps, 'clock'>,
  tx: Tx,
  wish: Wish,
  reading: ReadAccount | undefined,
): Promise<'stored' | 'needs_reading'> {
  const account = await findAccountByIgId(tx, wish.workspaceId, wish.igId);
  if (!account) throw notYours();
  return store(tx, wish, account, reading, new Date(deps.clock.now()));
}

async function store(
  tx: Tx,
  wish: Wish,
  { id: accountId }: AccountRow,
  reading: ReadAccount | undefined,
  now: Date,
): Promise<'stored' | 'needs_reading'> {
  const { workspaceId, userId: actor, igId, settings } = wish;
  const key = { workspaceId, accountId };
  const subscription = await lockUnendedSubscription(tx, workspaceId, accountId);
  await lockWatch(tx, key);
  const account = await lockAccount(tx, key);
  if (account?.ig_id !== igId) throw notYours();
  const isSwitchedOn = settings.automaticLikes && !account.automatic_likes;
  if (isSwitchedOn && subscription) {
    if (!reading) return 'needs_reading';
    await retakeBaseline(tx, subscription, reading);
    await storePosts(tx, { ...key, reading });
  }
  await setDeliverySettings(tx, account, settings);
  const action = 'delivery_settings_changed';
  await appendAudit(tx, { workspaceId, actor, action, subject: accountId, now });
  return 'stored';
}

function notYours(): ApiError {
  return new ApiError('not_yours', 'This isn’t one of your accounts.');
}
