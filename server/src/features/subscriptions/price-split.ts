/** The least a card can be charged; what is less carries over to the next invoice (D5). */
export const LEAST_CHARGE_CENTS = 50;

/** How a price is paid: `priceCents` = `amountCents` + `balanceUsedCents`, to the cent. */
export interface PriceSplit {
  /** Charged to the card: 0, or at least 50. */
  amountCents: number;
  /** Taken from the billing balance; negative: put into it. */
  balanceUsedCents: number;
  balanceAfterCents: number;
}

/**
 * Pays a price from billing balance first. The price may be negative (the unused rest of a period is
 * worth more than the new plan): then the surplus stays as balance. Less than 50 cents to pay leaves the
 * balance that much below 0.
 */
export function splitPrice(priceCents: number, balanceCents: number): PriceSplit {
  const dueCents = priceCents - balanceCents;
  const amountCents = dueCents < LEAST_CHARGE_CENTS ? 0 : dueCents;
  const balanceUsedCents = priceCents - amountCents;
  return { amountCents, balanceUsedCents, balanceAfterCents: balanceCents - balanceUsedCents };
}
