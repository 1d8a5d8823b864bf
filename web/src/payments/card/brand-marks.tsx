import type { ReactNode } from 'react';
import type { CardBrand } from '#shared/domain/money/card.ts';
import styles from './brand-marks.module.css';
import { BRAND_NAMES } from './card-number.ts';

const BRANDS: readonly CardBrand[] = ['visa', 'mastercard', 'discover', 'amex'];

/** The four accepted brands; the one a number belongs to stands out as soon as it is known. */
export function BrandMarks({ recognized }: { recognized: CardBrand | undefined }) {
  return (
    <ul className={styles['marks']} aria-label="Accepted cards">
      {BRANDS.map((brand) => (
        <li
          key={brand}
          className={styles['mark']}
          data-recognized={recognized === brand || undefined}
          data-other={(recognized !== undefined && recognized !== brand) || undefined}
        >
          <svg viewBox="0 0 48 30" width="48" height="30" aria-hidden="true">
            <rect
              x="0.5"
              y="0.5"
              width="47"
              height="29"
              rx="3.5"
              fill="#fff"
              stroke="var(--ov-line)"
            />
            {DRAWINGS[brand]}
          </svg>
          <span className="visually-hidden">
            {BRAND_NAMES[brand]}
            {recognized === brand && ' recognized'}
          </span>
        </li>
      ))}
    </ul>
  );
}

const DRAWINGS: Record<CardBrand, ReactNode> = {
  visa: (
    <text x="24" y="20.5" className={styles['visa']} textAnchor="middle">
      VISA
    </text>
  ),
  mastercard: (
    <>
      <circle cx="19.5" cy="15" r="8.5" fill="#eb001b" />
      <circle cx="28.5" cy="15" r="8.5" fill="#f79e1b" />
      <path d="M24 7.8a8.5 8.5 0 0 1 0 14.4 8.5 8.5 0 0 1 0-14.4Z" fill="#ff5f00" />
    </>
  ),
  discover: (
    <>
      <path d="M20 29.5C32 28 42 22 47.5 14V26a3.5 3.5 0 0 1-3.5 3.5Z" fill="#f47216" />
      <text
        x="5"
        y="18"
        textLength="17"
        lengthAdjust="spacingAndGlyphs"
        className={styles['discover']}
      >
        DISC
      </text>
      <circle cx="25.6" cy="15.2" r="3" fill="#f47216" />
      <text
        x="29.2"
        y="18"
        textLength="14"
        lengthAdjust="spacingAndGlyphs"
        className={styles['discover']}
      >
        VER
      </text>
    </>
  ),
  amex: (
    <>
      <rect x="5" y="5" width="38" height="20" rx="1.5" fill="#1f6ab0" />
      <text x="24" y="19" className={styles['amex']} textAnchor="middle">
        AMEX
      </text>
    </>
  ),
};
