import { dateInWords } from '#web/ui/words/dates.ts';
import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import { plannedChangeOf, plannedSentence } from '#web/payments/plan/plan-change-words.ts';
import { zoneInWords } from '#shared/domain/time-zone.ts';
import { useServices } from '#web/platform/services.ts';
import { figure } from '#web/ui/words/figures.ts';
import styles from './account-bar.module.css';
import { serviceCreditSentence, planInWords, planStateInWords } from './account-sentences.ts';

interface AccountFactsProps {
  account: ConnectedAccount;
  /** There is room also for what is as usual, and for the next charge in full: a strip tells it in short. */
  hasRoom: boolean;
}

/** The plan of the active account, and its next charge. */
export function AccountFacts({ account, hasRoom }: AccountFactsProps) {
  const { platform } = useServices();
  const timeZone = account.timeZone ?? platform.timeZone();
  const { nextBillingDate, subscriptionState, endsAt, followers } = account;
  const dateOf = (instant: string): string => dateInWords(Date.parse(instant), timeZone);
  const planState = planStateInWords(account, dateOf);
  const planned = plannedChangeOf(account);
  const serviceCredit = serviceCreditSentence(account);
  return (
    <dl className={styles['facts']}>
      <div>
        <dt className="c-soft">Plan</dt>
        <dd>{planInWords(account)}</dd>
        {planned && <dd className={styles['note']}>{plannedSentence(planned, timeZone)}</dd>}
      </div>
      {planState && (hasRoom || planState !== 'Active') && (
        <div data-state={subscriptionState}>
          <dt className="c-soft">Status</dt>
          <dd>{planState}</dd>
        </div>
      )}
      {hasRoom && nextBillingDate && endsAt === null && (
        <div>
          <dt className="c-soft">Next charge</dt>
          <dd>
            {dateOf(nextBillingDate)}, {zoneInWords(timeZone)} time
          </dd>
          {serviceCredit && <dd className={styles['note']}>{serviceCredit}</dd>}
        </div>
      )}
      {followers !== null && (
        <div>
          <dt className="c-soft">Followers</dt>
          <dd>{figure(followers)}</dd>
        </div>
      )}
    </dl>
  );
}
