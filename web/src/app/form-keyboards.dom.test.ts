import { expect, test } from 'vitest';
import { CUSTOMER_FORMS } from '#web/testing/dom/customer-forms.ts';
import type { FormCase } from '#web/testing/dom/form-case.ts';
import { openPage } from '#web/testing/dom/open-page.ts';
import { VISITOR_FORMS } from '#web/testing/dom/visitor-forms.ts';

const FORMS = [...VISITOR_FORMS, ...CUSTOMER_FORMS].filter(({ fields }) =>
  Object.keys(fields).some((label) => label !== 'Choose Your plan'),
);
const TYPED =
  'textarea, input:not([type="checkbox"]):not([type="radio"]):not([readonly]):not([hidden])';

/** What phones ask a field for, by its name: how browsers fill it in, and the keyboard it opens. */
const KEYBOARDS: Record<string, readonly string[]> = {
  name: ['name'],
  email: ['email username', 'email'],
  password: ['new-password current-password'],
  currentPassword: ['current-password'],
  confirmation: ['new-password'],
  igUsername: ['off'],
  phone: ['tel', 'tel'],
  timeZone: ['off'],
  message: ['off'],
  otp: ['one-time-code', 'numeric'],
  ccName: ['cc-name'],
  ccNum: ['cc-number', 'numeric'],
  cvv: ['cc-csc', 'numeric'],
  address: ['address-line1'],
  apartment: ['address-line2'],
  city: ['address-level2'],
  state: ['address-level1'],
  taxId: ['off'],
  zip: ['postal-code', 'numeric'],
};
const nthDigit = ['off', 'numeric'];

async function typedFields({
  path,
  user,
  page: needs,
  open,
  form,
  fields,
}: FormCase): Promise<Element[]> {
  const page = await openPage(path, { ...(user && { user }), ...needs });
  await open?.(page);
  await form(page).waitFor();
  // Comes once the server has said how cards are entered.
  if ('Card number' in fields) await form(page).getByLabel('Card number').waitFor();
  const shown = form(page).locator(TYPED);
  return shown.all().filter((field) => field.getAttribute('type') !== 'hidden');
}

test.each(FORMS)(
  'each field of the form is filled in by browsers as what it is, with its keyboard; usernames stay as typed, and the last field says that Enter sends it: $name',
  async (form) => {
    const fields = await typedFields(form);
    for (const field of fields) {
      const name = field.getAttribute('name') ?? '';
      const [fills = '', keyboard] = KEYBOARDS[name] ?? (/^otp-\d$/.test(name) ? nthDigit : []);
      const fill = field.getAttribute('autocomplete')?.replace('billing ', '') ?? '';
      expect(fills.split(' '), `autocomplete of ${name}`).toContain(fill);
      // A type opens its keyboard by itself.
      const opens = field.getAttribute('inputmode') ?? keyboardOf(field.getAttribute('type'));
      expect(opens, `keyboard of ${name}`).toBe(keyboard);
    }
    // They are neither corrected nor capitalized on the way.
    const usernames = fields.filter((field) => field.getAttribute('name') === 'igUsername');
    const hasUsername = Object.keys(form.fields).some((label) => /username/.test(label));
    expect(usernames).toHaveLength(hasUsername ? 1 : 0);
    for (const field of usernames) {
      expect(field.getAttribute('autocapitalize')).toBe('none');
      expect(field.getAttribute('spellcheck')).toBe('false');
    }
    const said = fields.map((field) => field.getAttribute('enterkeyhint'));
    // Those before leave the key to the phone. Enter begins a new line in a text of several.
    const last = fields.at(-1)?.matches('textarea') ? null : 'go';
    expect(said).toEqual([...said.slice(1).map(() => null), last]);
  },
);

const keyboardOf = (type: string | null): string | undefined =>
  type === 'email' || type === 'tel' ? type : undefined;
