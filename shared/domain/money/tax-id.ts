/** VAT numbers by the two letters they begin with, where a digit follows. */
const VAT_NUMBERS: Readonly<Record<string, RegExp>> = {
  AT: /^ATU\d{8}$/,
  BE: /^BE[01]\d{9}$/,
  BG: /^BG\d{9,10}$/,
  CY: /^CY\d{8}[A-Z]$/,
  CZ: /^CZ\d{8,10}$/,
  DE: /^DE\d{9}$/,
  DK: /^DK\d{8}$/,
  EE: /^EE\d{9}$/,
  EL: /^EL\d{9}$/,
  ES: /^ES(?:\d{8}[A-Z]|[A-Z]\d{7}[A-Z\d])$/,
  FI: /^FI\d{8}$/,
  FR: /^FR[A-HJ-NP-Z\d]{2}\d{9}$/,
  GB: /^GB(?:\d{9}|\d{12})$/,
  HR: /^HR\d{11}$/,
  HU: /^HU\d{8}$/,
  IE: /^IE\d[A-Z\d]\d{5}[A-Z]{1,2}$/,
  IT: /^IT\d{11}$/,
  LT: /^LT(?:\d{9}|\d{12})$/,
  LU: /^LU\d{8}$/,
  LV: /^LV\d{11}$/,
  MT: /^MT\d{8}$/,
  NL: /^NL\d{9}B\d{2}$/,
  PL: /^PL\d{10}$/,
  PT: /^PT\d{9}$/,
  RO: /^RO\d{2,10}$/,
  SE: /^SE\d{12}$/,
  SI: /^SI\d{8}$/,
  SK: /^SK\d{10}$/,
};
const SHAPE = /^(?=(?:.*\d){4})[A-Z\d]{5,20}$/;

/** A tax id as it is kept: capitals and digits, without what people put in between. */
export function normalizeTaxId(typed: string): string {
  return typed.toUpperCase().replaceAll(/[\s./-]/g, '');
}

/**
 * Whether it can be a tax id, normalized. What begins like a European VAT number has to be a whole one; of
 * other countries only the shape is known: 5 to 20 letters and digits, at least 4 of them digits.
 */
export function isTaxId(taxId: string): boolean {
  if (!SHAPE.test(taxId)) return false;
  const rule = /^[A-Z]{2}\d/.test(taxId) ? VAT_NUMBERS[taxId.slice(0, 2)] : undefined;
  return rule?.test(taxId) ?? true;
}
