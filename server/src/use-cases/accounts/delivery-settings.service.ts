import type {
  DeliverySettings,
  findDeliverySettings,
} from '#shared/contract/accounts/account-changes.ts';
import type { CallData } from '#shared/contract/call.ts';
import { findPlan } from '#shared/domain/money/plans.ts';
import type { IgId, WorkspaceId } from '#shared/domain/ids.ts';
import type { Tx } from '#server/kit/db/database.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Deps } from '#server/kit/deps.ts';
import { LIMITS } from '#server/identity/limits/rate-limit.ts';
import { limitPerson } from '#server/identity/members/person-caps.ts';
import { type AccountRow, getAccountByIgId } from '#server/network/accounts/account.repository.ts';
import { lockAccount, lockSchedule } from '#server/network/accounts/account-rename.repository.ts';
import { accountUnreadable, notYourAccount } from '#server/network/accounts/account-refusals.ts';
import { lookUpAccount, type ReadAccount } from '#server/network/accounts/look-up-account.ts';
import { appendAudit } from '#server/audit/audit.repository.ts';
import {
  findUnendedSubscription,
  retakeBaseline,
} from '#server/money/subscriptions/subscription.repository.ts';
import { lockUnended } from '#server/money/subscriptions/subscription-work.repository.ts';
import { storePosts } from '#server/network/posts/post.repository.ts';
import {
  setDeliverySettings,
  viewDeliverySettings,
} from '#server/delivery/settings/delivery-settings.repository.ts';

type SettingsDeps = Pick<
  Deps,
  'clock' | 'database' | 'log' | 'network' | 'provider' | 'random' | 'settings'
>;
type SettingsAnswer = CallData<typeof findDeliverySettings>;

/** Settings a customer wants for an account. */
interface SettingsIntent {
  workspaceId: WorkspaceId;
  userId: string;
  igId: IgId;
  settings: DeliverySettings;
  /** As they were when somebody chose these: whoever has changed them since wins. */
  seen?: DeliverySettings | undefined;
  /** Refuses, by throwing, what it finds when the account is held. */
  check?: (account: AccountRow) => void;
}

/** Delivery settings in one text, as somebody sees them who is about to change them. */
export const settingsText = ({ automaticLikes, speed, range }: DeliverySettings): string =>
  JSON.stringify([automaticLikes, speed, range && [range.min, range.max]]);

function refuseOvertaken(
  account: AccountRow,
  wanted: DeliverySettings,
  seen: DeliverySettings,
): void {
  const now = settingsText(viewDeliverySettings(account));
  if (now === settingsText(seen) || now === settingsText(wanted)) return;
  throw new ApiError(
    'subscription_state',
    `Someone else changed the delivery settings of @${account.ig_username} in the meantime. Save again to replace theirs.`,
  );
}

/** @throws ApiError `not_yours` */
export async function viewSettings(
  deps: SettingsDeps,
  { workspaceId, igId }: { workspaceId: WorkspaceId; igId: IgId },
): Promise<SettingsAnswer> {
  const { db } = deps.database;
  const account = await getAccountByIgId(db, workspaceId, igId);
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
export async function saveSettings(
  deps: SettingsDeps,
  intent: SettingsIntent,
): Promise<SettingsAnswer> {
  await putSettings(deps, intent);
  return viewSettings(deps, intent);
}

/** The same for whoever isn't shown them. */
export async function putSettings(deps: SettingsDeps, intent: SettingsIntent): Promise<void> {
  const reading = await readForSettings(deps, intent);
  const outcome = await deps.database.transaction((tx) => storeSettings(deps, tx, intent, reading));
  // Switched off, or paid for, by another request in between: now a reading is needed, or none.
  if (outcome === 'needs_reading') await putSettings(deps, intent);
}

/**
 * What must be asked of the network before the settings can be stored; undefined when nothing must. Counted as
 * one saving of the account's settings.
 * @throws ApiError as `saveSettings`
 */
export async function readForSettings(
  deps: Omit<SettingsDeps, 'provider'>,
  { workspaceId, userId, igId, settings }: SettingsIntent,
): Promise<ReadAccount | undefined> {
  const { db } = deps.database;
  const account = await getAccountByIgId(db, workspaceId, igId);
  await limitPerson(deps, { workspaceId, userId }, LIMITS.settings, account.id);
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
  intent: SettingsIntent,
  reading: ReadAccount | undefined,
): Promise<'stored' | 'needs_reading'> {
  const account = await getAccountByIgId(tx, intent.workspaceId, intent.igId);
  return store(tx, intent, account, reading, new Date(deps.clock.now()));
}

async function store(
  tx: Tx,
  intent: SettingsIntent,
  { id: accountId }: AccountRow,
  reading: ReadAccount | undefined,
  now: Date,
): Promise<'stored' | 'needs_reading'> {
  const { workspaceId, userId: actor, igId, settings } = intent;
  const key = { workspaceId, accountId };
  const subscription = await lockUnended(tx, workspaceId, accountId);
  await lockSchedule(tx, key);
  const account = await lockAccount(tx, key);
  if (account?.ig_id !== igId) throw notYourAccount();
  intent.check?.(account);
  if (intent.seen) refuseOvertaken(account, settings, intent.seen);
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
