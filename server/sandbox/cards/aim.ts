import type { Context } from 'hono';
import type { Fault } from '../faults.ts';
import { textOption } from '../faults.ts';
import { type FormFields, groupField, textField } from './form.ts';

/** Every id that a call names, in its address or its fields. */
export function idsNamedBy(c: Context, fields: FormFields): string[] {
  const inFields = (group: FormFields): string[] =>
    Object.values(group).flatMap((value) =>
      typeof value === 'string' ? [value] : inFields(value),
    );
  const named = [...c.req.path.split('/'), ...Object.values(c.req.query()), ...inFields(fields)];
  return named.filter((text) => /^[a-z_]+_\w+$/.test(text) && !text.includes('_secret_'));
}

interface Subject {
  account: string;
  customers: Set<string>;
  cards: Set<string>;
}

/** Whose call it is: faults may be aimed by `account`, `customer` and `last4` (of the card). */
export function subjectOf(
  account: string,
  { ids, fields, lookUp }: { ids: string[]; fields: FormFields; lookUp: (id: string) => unknown },
): Subject {
  const objects = ids.map(lookUp).map((each) => (each ?? {}) as Record<string, unknown>);
  const customers = [...ids, ...objects.map(({ customer }) => customer)];
  const methods = objects.map(({ payment_method: method }) => lookUp(String(method)));
  const cards = [...objects, ...methods].map((each) => {
    const { card } = (each ?? {}) as { card?: { last4?: unknown } };
    return card?.last4;
  });
  const typed = textField(groupField(fields, 'card'), 'number')?.slice(-4);
  const isText = (value: unknown): value is string => typeof value === 'string';
  return {
    account,
    customers: new Set(customers.filter(isText).filter((id) => id.startsWith('cus_'))),
    cards: new Set([...cards, typed].filter(isText)),
  };
}

export function isAimedAt({ options }: Fault, subject: Subject): boolean {
  const account = textOption(options, 'account');
  const customer = textOption(options, 'customer');
  const card = textOption(options, 'last4');
  return (
    (!account || account === subject.account) &&
    (!customer || subject.customers.has(customer)) &&
    (!card || subject.cards.has(card))
  );
}
