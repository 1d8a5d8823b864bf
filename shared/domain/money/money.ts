const DOLLARS = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** Dollars as S§9 writes them on the wire, from integer cents. */
export function dollarsFromCents(cents: number): number {
  return cents / 100;
}

/** Integer cents from dollars on the wire; undefined when it isn't a whole number of cents. */
export function centsFromDollars(dollars: number): number | undefined {
  const cents = Math.round(dollars * 100);
  return Math.abs(cents - dollars * 100) < 1e-6 ? cents : undefined;
}

/** An amount for people: "$1,234.50", "−$23.99" with a real minus sign. */
export function formatCents(cents: number): string {
  const amount = DOLLARS.format(cents / 100);
  return amount.replace('-', '−');
}
