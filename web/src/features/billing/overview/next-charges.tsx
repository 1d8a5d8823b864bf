import { dateInWords } from '#web/ui/words/dates.ts';
import { formatCents } from '#shared/domain/money.ts';
import { nextChargeOf } from '#web/payments/plan/next-charge.ts';
import { useClientState, useServices } from '#web/platform/services.ts';
import { BillingSection } from './billing-section.tsx';
import styles from './billing-page.module.css';

/** So many are listed; all of them stand in the table of subscriptions. */
const LISTED_LIMIT = 12;

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
  const more = charges.length - LISTED_LIMIT;
  return (
    <BillingSection name="charges" title="Next charges">
      {charges.length === 0 && <p className="c-soft">Nothing will be charged.</p>}
      <ul>
        {charges.slice(0, LISTED_LIMIT).map(({ igUsername, cents, day }) => (
          <li className={styles['line']} key={igUsername}>
            <span>@{igUsername}</span>
            <span>
              <strong>{formatCents(cents)}</strong> on {day}
            </span>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="c-soft">and {more.toLocaleString('en-US')} more later</p>}
    </BillingSection>
  );
}
