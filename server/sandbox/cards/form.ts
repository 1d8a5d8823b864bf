import { invalid, missing } from './gateway-answer.ts';

/** Parameters of a form with names such as `card[number]` and `expand[]`. */
export interface FormFields {
  [name: string]: FormValue;
}
export type FormValue = string | FormFields;

/** Reads `a=1&card[number]=42&expand[]=x` as nested objects; list items are named 0, 1, 2... */
export function parseForm(text: string): FormFields {
  const fields: FormFields = Object.create(null) as FormFields;
  for (const [name, value] of new URLSearchParams(text)) {
    const [first = '', ...rest] = name.split('[').map((part) => part.replace(/\]$/, ''));
    let place = fields;
    let last = first;
    for (const part of rest) {
      const inner = place[last];
      const next: FormFields =
        typeof inner === 'object' ? inner : (Object.create(null) as FormFields);
      place[last] = next;
      place = next;
      last = part === '' ? String(Object.keys(next).length) : part;
    }
    place[last] = value;
  }
  return fields;
}

/** A text field, or undefined when it is missing, empty, or a group of fields. */
export function textField(fields: FormFields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A group of fields such as `metadata[...]`; empty when it is missing. */
export function groupField(fields: FormFields, name: string): FormFields {
  const value = fields[name];
  return typeof value === 'object' ? value : {};
}

/** A group whose fields are all text. */
export function textGroup(fields: FormFields, name: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(groupField(fields, name)).flatMap(([key, value]) =>
      typeof value === 'string' ? [[key, value]] : [],
    ),
  );
}

/** An address, or null when it is missing. @throws GatewayRefusal */
export function urlField(fields: FormFields, name: string): string | null {
  const url = textField(fields, name) ?? null;
  if (url === null || URL.canParse(url)) return url;
  throw invalid(name, 'Not a valid URL', 'url_invalid');
}

/** A whole number of cents. @throws GatewayRefusal */
export function amountField(fields: FormFields): number {
  const text = textField(fields, 'amount');
  if (!text) throw missing('amount');
  if (!/^\d{1,12}$/.test(text)) throw invalid('amount', `Invalid integer: ${text}`);
  return Number(text);
}
