import type { ReactNode } from 'react';
import { OnlyFor } from '#web/customer/rights/only-for.tsx';
import { Link } from 'react-router-dom';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { AUTOMATIC_POSTS_PER_DAY } from '#shared/domain/delivery/automatic-likes.ts';
import { stateInWord } from '#web/customer/account-state.ts';
import { useDialogs } from '#web/customer/dialogs/dialogs.ts';
import { useClientState, useServices } from '#web/platform/services.ts';
import type { AddressInUse } from '../address/use-dashboard-address.ts';
import { figure } from '#web/ui/words/figures.ts';
import { NO_FILTER } from '../reading/post-filter.ts';
import styles from './status-strip.module.css';
import { firstChargeOf, type DeliveryStatus } from './delivery-status.ts';
import { type StatusFact, statusFacts } from './status-words.ts';

interface StatusStripProps {
  status: DeliveryStatus | undefined;
  /** The one account it is about; undefined: all. */
  account: ConnectedAccount | undefined;
  /** That one, or all. */
  accounts: readonly ConnectedAccount[];
  change: AddressInUse['change'];
}

/** How things stand, in five facts; each leads to where it is dealt with. */
export function StatusStrip({ status, account, accounts, change }: StatusStripProps) {
  const { paths, platform } = useServices();
  const dialogs = useDialogs();
  const credits = useClientState((state) => state.user?.credits);
  const stateWord = account ? stateInWord(account) : 'None';
  const ownZone = platform.timeZone();
  const charge = firstChargeOf(accounts, ownZone);
  const facts = statusFacts(status, charge, { stateWord, ownZone });
  const openPlan = account && (() => openPlanOf(account, dialogs));
  return (
    <section aria-label="At a glance">
      <ul className={styles['strip']}>
        <Item isWide>
          <Action act={openPlan} to={paths.subscriptions}>
            <Words {...facts.slots} />
            {status?.slots?.of === AUTOMATIC_POSTS_PER_DAY && <Seats left={status.slots.left} />}
          </Action>
        </Item>
        <Item>
          <Action act={() => change({ isChartOpen: true })}>
            <Words {...facts.likes} />
          </Action>
        </Item>
        <OnlyFor action="spend">
          <Item>
            <Action act={() => dialogs.open({ kind: 'buy_credits' })}>
              <Words label="Credits" value={figure(credits ?? 0)} note="Buy more" />
            </Action>
          </Item>
          <Item>
            <Action to={paths.billing}>
              <Words {...facts.charge} isDated />
            </Action>
          </Item>
        </OnlyFor>
        <Item>
          <Action act={() => change({ filter: { ...NO_FILTER, order: 'late' } })}>
            <Words {...facts.promise} />
          </Action>
        </Item>
      </ul>
    </section>
  );
}

/** A plan's posts are dealt with in its delivery settings; without one, where one can be had. */
function openPlanOf(account: ConnectedAccount, dialogs: ReturnType<typeof useDialogs>): void {
  const kind = account.subscriptionState === null ? 'manage_account' : 'delivery_settings';
  dialogs.open({ kind, account });
}

function Item({ isWide = false, children }: { isWide?: boolean; children: ReactNode }) {
  return <li data-wide={isWide || undefined}>{children}</li>;
}

/** What is done here is a button, what lies elsewhere a link. */
function Action({
  act,
  to = '',
  children,
}: {
  act?: (() => void) | undefined;
  to?: string;
  children: ReactNode;
}) {
  if (!act) {
    return (
      <Link className={styles['fact']} to={to}>
        {children}
      </Link>
    );
  }
  return (
    <button type="button" className={styles['fact']} onClick={act}>
      {children}
    </button>
  );
}

/** `isDated`: the note is part of the fact, on phones too. */
function Words({ label, value, note, isDated = false }: StatusFact & { isDated?: boolean }) {
  return (
    <>
      <span className={styles['label']}>{label}</span>{' '}
      <span className={styles['value']}>{value}</span>{' '}
      <span className={styles['note']} data-dated={isDated || undefined}>
        {note}
      </span>
    </>
  );
}

/** The day's places, those that are still free in outline. */
function Seats({ left }: { left: number }) {
  return (
    <span className={styles['seats']} aria-hidden="true">
      {Array.from({ length: AUTOMATIC_POSTS_PER_DAY }, (_, seat) => (
        <span key={seat} data-taken={seat < AUTOMATIC_POSTS_PER_DAY - left || undefined} />
      ))}
    </span>
  );
}
