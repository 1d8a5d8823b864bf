import { Button } from '@mantine/core';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { formatCents } from '#shared/domain/money/money.ts';
import { localDay } from '#shared/domain/time-zone.ts';
import { AtName } from '#web/customer/at-name.tsx';
import type { Column, RowControl } from '#web/ui/data-table/column.ts';
import { KeepOffline } from '#web/customer/keep-offline.tsx';
import { userMayWith } from '#web/customer/rights/user-may.ts';
import { useClientState } from '#web/platform/services.ts';
import { nextChargeOf } from '#web/payments/plan/next-charge.ts';
import { plannedChangeOf } from '#web/payments/plan/plan-change-words.ts';
import { ProxyImage } from '#web/customer/pictures/proxy-image.tsx';
import { shortDate } from '#web/ui/words/dates.ts';
import { plannedInWords, runningPlan, statusOf } from '../account-status.ts';
import { StatusMark } from '../status-mark.tsx';
import styles from './account-columns.module.css';

const NONE = '–';

const chargedAt = (account: ConnectedAccount): number | null => nextChargeOf(account)?.atMs ?? null;

interface AccountColumnsOptions {
  timeZone: string;
  /** Whether they may see what is charged, and when. */
  seesMoney: boolean;
  /** Those kept for offline, by the network's id, once they are known. */
  kept: ReadonlySet<string> | undefined;
  /** Opens an account's dialog. */
  manage: (account: ConnectedAccount) => void;
}

/** The columns of the connected accounts. */
export function accountColumns({
  timeZone,
  seesMoney,
  kept,
  manage,
}: AccountColumnsOptions): Column<ConnectedAccount>[] {
  return [
    {
      key: 'main',
      label: 'Account',
      head: 'title',
      width: 'minmax(8.25rem, 2fr)',
      text: (account) => `@${account.igUsername}`,
      sortBy: (account) => account.igUsername,
      csv: (account) => account.igUsername,
      render: (account) => <AccountName account={account} />,
    },
    {
      key: 'state',
      label: 'Status',
      width: 'minmax(5.5rem, 1.2fr)',
      text: (account) => {
        const { word, detail } = statusOf(account, timeZone);
        return detail ? `${word}: ${detail}` : word;
      },
      sortBy: (account) => statusOf(account, timeZone).word,
      render: (account) => (
        <StatusMark status={statusOf(account, timeZone)} className={styles['status']} />
      ),
    },
    {
      key: 'plan',
      label: 'Likes per post',
      width: 'minmax(5rem, 0.8fr)',
      isNumeric: true,
      text: (account) => runningPlan(account)?.description ?? NONE,
      sortBy: (account) => runningPlan(account)?.likes ?? null,
      csv: (account) => runningPlan(account)?.likes ?? '',
    },
    ...(seesMoney ? chargeColumns(timeZone) : []),
    {
      key: 'planned',
      label: 'Planned change',
      width: 'minmax(8.25rem, 1fr)',
      from: 'wide',
      text: (account) => plannedInWords(account, timeZone) ?? NONE,
      sortBy: (account) => plannedChangeOf(account)?.atMs ?? null,
      csv: (account) => plannedInWords(account, timeZone) ?? '',
    },
    {
      key: 'followers',
      label: 'Followers',
      width: 'minmax(5rem, 0.8fr)',
      from: 'wide',
      isNumeric: true,
      text: (account) => account.followers?.toLocaleString('en-US') ?? NONE,
      sortBy: (account) => account.followers,
      csv: (account) => account.followers ?? '',
    },
    {
      key: 'offline',
      label: 'Offline',
      head: 'end',
      width: '4rem',
      text: (account) => (kept?.has(account.igId) ? 'Kept offline' : NONE),
      sortBy: (account) => (kept?.has(account.igId) ? 0 : 1),
      csv: null,
      render: (account, control) => (
        <KeepOffline account={account} isKept={kept?.has(account.igId)} control={control} />
      ),
    },
    {
      key: 'action',
      label: 'Manage',
      head: 'end',
      width: '5.5rem',
      csv: null,
      text: () => '',
      render: (account, control) => (
        <ManageButton account={account} manage={manage} control={control} />
      ),
    },
  ];
}

/** Nothing for who may only look at the account. */
function ManageButton({
  account,
  manage,
  control,
}: Pick<AccountColumnsOptions, 'manage'> & { account: ConnectedAccount; control: RowControl }) {
  const mayEdit = useClientState(({ user }) => userMayWith(user, 'edit', account));
  if (!mayEdit) return null;
  return (
    <Button
      variant="default"
      className={styles['manage'] ?? ''}
      aria-label={`Manage @${account.igUsername}`}
      {...control}
      onClick={() => manage(account)}
    >
      Manage
    </Button>
  );
}

function chargeColumns(timeZone: string): Column<ConnectedAccount>[] {
  const date = (account: ConnectedAccount): string => {
    const nextMs = chargedAt(account);
    return nextMs === null ? NONE : shortDate(nextMs, account.timeZone ?? timeZone);
  };
  return [
    {
      key: 'price',
      label: 'Per month',
      width: 'minmax(4.5rem, 0.8fr)',
      isNumeric: true,
      text: (account) => {
        const plan = runningPlan(account);
        return plan ? formatCents(plan.priceCents) : NONE;
      },
      sortBy: (account) => runningPlan(account)?.priceCents ?? null,
      csv: (account) => runningPlan(account)?.priceVal ?? '',
      addsUp: true,
    },
    {
      key: 'next',
      label: 'Next charge',
      width: 'minmax(6.75rem, 1fr)',
      isNumeric: true,
      text: (account) => date(account),
      sortBy: chargedAt,
      csv: (account) => {
        const nextMs = chargedAt(account);
        return nextMs === null ? '' : localDay(nextMs, account.timeZone ?? timeZone);
      },
    },
  ];
}

function AccountName({ account }: { account: ConnectedAccount }) {
  return (
    <span className="flex items-center gap-3 min-w-0">
      <span className={`avatar ${styles['avatar']}`} data-size="row">
        <ProxyImage path={account.profilePic} alt="" width={160} />
      </span>
      <span className="min-w-0 font-600 wrap-anywhere">
        <AtName of={account.igUsername} />
      </span>
    </span>
  );
}
