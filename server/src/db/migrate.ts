import { type Migration, Migrator } from 'kysely/migration';
import type { Database } from './database.ts';
import * as first from './migrations/0001-first.ts';
import * as work from './migrations/0001-work.ts';
import * as rateLimit from './migrations/0002-rate-limit.ts';
import * as credits from './migrations/0003-credits.ts';
import * as audit from './migrations/0004-audit.ts';
import * as recovery from './migrations/0005-recovery.ts';
import * as subscriptions from './migrations/0006-subscriptions.ts';
import * as operating from './migrations/0007-operating.ts';
import * as sync from './migrations/0008-sync.ts';
import * as fairClock from './migrations/0009-fair-clock.ts';
import * as security from './migrations/0010-security.ts';
import * as refunds from './migrations/0011-refunds.ts';
import * as farewell from './migrations/0012-farewell.ts';
import * as servedAccounts from './migrations/0013-served-accounts.ts';
import * as ledgerWords from './migrations/0014-ledger-words.ts';
import * as endedMoneyBack from './migrations/0015-ended-money-back.ts';
import * as promoGrant from './migrations/0016-promo-grant.ts';
import * as customerRequest from './migrations/0017-customer-request.ts';
import * as syncLogIndex from './migrations/0018-sync-log-index.ts';
import * as nextPackage from './migrations/0020-next-package.ts';
import * as planChanges from './migrations/0020-plan-changes.ts';
import * as returnedValue from './migrations/0021-returned-value.ts';
import * as networkShares from './migrations/0022-network-shares.ts';
import * as ownership from './migrations/0022-ownership.ts';
import * as knownBrowsers from './migrations/0023-known-browsers.ts';
import * as leftBehind from './migrations/0025-left-behind.ts';
import * as subscriptionDays from './migrations/0026-subscription-days.ts';
import * as unlistedShift from './migrations/0030-unlisted-shift.ts';
import * as wholePauses from './migrations/0030-whole-pauses.ts';
import * as rightsOfOthers from './migrations/0032-rights-of-others.ts';
import * as pastPlans from './migrations/0033-past-plans.ts';
import * as disputes from './migrations/0034-disputes.ts';
import * as unpaidAdvance from './migrations/0036-unpaid-advance.ts';
import * as toldOfOthers from './migrations/0037-told-of-others.ts';
import * as likePair from './migrations/0039-like-pair.ts';
import * as disputedDays from './migrations/0040-disputed-days.ts';
import * as inAdvance from './migrations/0043-in-advance.ts';
import * as likesDone from './migrations/0044-likes-done.ts';
import * as push from './migrations/0045-push.ts';
import * as supersededPlans from './migrations/0046-superseded-plans.ts';

/** All migrations, oldest first. A released one is never edited. */
const MIGRATIONS: Record<string, Migration> = {
  '0001-first': first,
  '0001-work': work,
  '0002-rate-limit': rateLimit,
  '0003-credits': credits,
  '0004-audit': audit,
  '0005-recovery': recovery,
  '0006-subscriptions': subscriptions,
  '0007-operating': operating,
  '0008-sync': sync,
  '0009-fair-clock': fairClock,
  '0010-security': security,
  '0011-refunds': refunds,
  '0012-farewell': farewell,
  '0013-served-accounts': servedAccounts,
  '0014-ledger-words': ledgerWords,
  '0015-ended-money-back': endedMoneyBack,
  '0016-promo-grant': promoGrant,
  '0017-customer-request': customerRequest,
  '0018-sync-log-index': syncLogIndex,
  '0020-next-package': nextPackage,
  '0020-plan-changes': planChanges,
  '0021-returned-value': returnedValue,
  '0022-network-shares': networkShares,
  '0022-ownership': ownership,
  '0023-known-browsers': knownBrowsers,
  '0025-left-behind': leftBehind,
  '0026-subscription-days': subscriptionDays,
  '0030-unlisted-shift': unlistedShift,
  '0030-whole-pauses': wholePauses,
  '0032-rights-of-others': rightsOfOthers,
  '0033-past-plans': pastPlans,
  '0034-disputes': disputes,
  '0036-unpaid-advance': unpaidAdvance,
  '0037-told-of-others': toldOfOthers,
  '0039-like-pair': likePair,
  '0040-disputed-days': disputedDays,
  '0043-in-advance': inAdvance,
  '0044-likes-done': likesDone,
  '0045-push': push,
  '0046-superseded-plans': supersededPlans,
};

/** For tests that open what an older version has left behind. */
export function createMigrator(database: Database): Migrator {
  return new Migrator({
    db: database.db,
    provider: { getMigrations: async () => MIGRATIONS },
    // Numbers are handed out beforehand: a database may know a later one that landed first.
    allowUnorderedMigrations: true,
  });
}

/** Brings the database up to date; several nodes may do so at once (kysely takes a lock). */
export async function migrate(database: Database): Promise<void> {
  const { error } = await createMigrator(database).migrateToLatest();
  if (error !== undefined) throw error;
}
