import { useId } from 'react';
import { CREDIT_PACKAGES, type CreditPackage } from '#shared/domain/money/credit-packages.ts';
import { formatCents } from '#shared/domain/money/money.ts';
import styles from './pack-choice.module.css';

/** What stands by the packages when none was chosen. */
export const PACK_RULE = 'Please choose a credit package';

/** The six credit packages as radio buttons, one required, with the price per 1,000 to compare. */
export function PackChoice({
  chosen,
  error,
  onChoose,
}: {
  chosen: CreditPackage | undefined;
  error: string | undefined;
  onChoose: (pack: CreditPackage) => void;
}) {
  const errorId = useId();
  return (
    <fieldset
      className={styles['packs']}
      role="radiogroup"
      aria-required
      aria-invalid={error !== undefined}
      aria-describedby={error ? errorId : undefined}
    >
      <legend>Credit package</legend>
      {CREDIT_PACKAGES.map((pack) => (
        <label key={pack.credits} className={styles['pack']}>
          <input
            type="radio"
            name="credits"
            value={pack.credits}
            required
            checked={pack === chosen}
            onChange={() => onChoose(pack)}
          />
          <span className={styles['credits']}>{pack.credits.toLocaleString('en-US')} credits</span>
          <span className="text-right font-600">{formatCents(pack.priceCents)}</span>
          <span className={styles['each']}>{perThousand(pack)}</span>
        </label>
      ))}
      {error && (
        <p id={errorId} className={styles['error']}>
          {error}
        </p>
      )}
    </fieldset>
  );
}

/** "$4.00 per 1,000". */
function perThousand({ credits, priceCents }: CreditPackage): string {
  return `${formatCents((priceCents / credits) * 1000)} per 1,000`;
}
