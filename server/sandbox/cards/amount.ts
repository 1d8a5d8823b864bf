import type { FormFields } from './form.ts';
import { textField } from './form.ts';
import { invalid, missing } from './gateway-answer.ts';

/** A whole number of cents. @throws GatewayRefusal */
export function amountField(fields: FormFields): number {
  const text = textField(fields, 'amount');
  if (!text) throw missing('amount');
  if (!/^\d{1,12}$/.test(text)) throw invalid('amount', `Invalid integer: ${text}`);
  return Number(text);
}
