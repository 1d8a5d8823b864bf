import { dateInWords } from '#web/components/dates.ts';
import { formatCents } from '#shared/domain/money.ts';
import { nextChargeOf } from '#web/components/next-charge.ts';
import { useClientState, useServices } from '#web/platform/services.ts';
import styles from './billing-page.module.css';

/** So many are listed; all of them stand in the table of subscriptions. */
const LISTED_MOST = 12;

/** What is charged when, per account. */
export function NextCharges() {
  const { platform } = useServices();
  const accounts = useClientState((state) => state.connectedAccounts);
  const charges = accounts
    .flatMap((account) => {
      const charge = nextChargeOf(account);
      if (!charge) return [];
      const day = dateInWords(charge.atMs, account.timeZone ?? platform.timeZone());
      return [{ ...charge, igUsername: account.igUsername, day }];
    })
    .sort((a, b) => a.atMs - b.atMs);
  const more = charges.length - LISTED_MOST;
  return (
    <section className={styles['section']} aria-labelledby="charges-title">
      <h2 id="charges-title">Next charges</h2>
      {charges.length === 0 && <p className={styles['soft']}>Nothing will be charged.</p>}
      <ul className={styles['charges']}>
        {charges.slice(0, LISTED_MOST).map(({ igUsername, cents, day }) => (
          <li key={igUsername}>
            <span>@{igUsername}</span>
            <span>
              <strong>{formatCents(cents)}</strong> on {day}
            </span>
          </li>
        ))}
      </ul>
      {more > 0 && <p className={styles['soft']}>and {more.toLocaleString('en-US')} more later</p>}
    </section>
  );
}
