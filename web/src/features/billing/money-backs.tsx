import { useCallback } from 'react';
import { findMoneyBacks } from '#shared/contract/subscription.ts';
import { amountRange } from '#shared/domain/money-back-words.ts';
import { useCustomer } from '#web/components/customer.ts';
import { arithmeticOf } from '#web/components/money-back-arithmetic.ts';
import { centsOf } from '#web/components/price-words.ts';
import { useRead } from '#web/components/use-read.ts';
import { useClientState, useServices } from '#web/platform/services.ts';
import styles from './billing-page.module.css';
import { moneyBackSentence } from './money-back-words.ts';
import { Unread } from './unread.tsx';

/**
 * Money on its way back to the card, and how far it is; nothing for whoever never asked for any. The
 * local copy doesn't have it, so nobody is told of it while the server is away.
 */
export function MoneyBacks() {
  const { userId } = useCustomer();
  const { api, platform } = useServices();
  const accounts = useClientState((state) => state.connectedAccounts);
  const read = useCallback(() => api.call(findMoneyBacks, { userId }), [api, userId]);
  const { data, hasFailed, again } = useRead(read);
  if (!hasFailed && !data?.length) return null;
  const zoneOf = (igUsername: string): string =>
    accounts.find((account) => account.igUsername === igUsername)?.timeZone ?? platform.timeZone();
  return (
    <section className={styles['section']} aria-labelledby="money-back-title">
      <h2 id="money-back-title">Money back</h2>
      {hasFailed && <Unread again={again} />}
      <ul className={styles['charges']}>
        {data?.map((one) => (
          <li key={one.id}>
            <span>
              @{one.igUsername}: <strong>{one.state}</strong>
            </span>
            <strong>{amountRange(centsOf(one.amount), centsOf(one.most))}</strong>
            <span className={styles['next']}>
              {arithmeticOf(one)} {moneyBackSentence(one, zoneOf(one.igUsername))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
