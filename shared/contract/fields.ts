import * as v from 'valibot';
import type { AccountId, IgId, OrderId, PostId } from '../domain/ids.ts';
import { isEmail, normalizeEmail } from '../domain/people/email.ts';
import { parseIgUsername } from '../domain/accounts/ig-username.ts';
import { isPlainLine } from '../domain/words/plain-line.ts';
import { isPassword, PASSWORD_RULE } from '../domain/people/passwords.ts';
import { isTimeZone } from '../domain/time-zone.ts';

const PLAIN_LINE_RULE = 'Please use letters, numbers and symbols only';

/** Required one-line text as it was pasted: trimmed, not empty, without control characters. */
export const pastedText = (emptyMessage: string, max = 200) =>
  v.pipe(
    v.string(emptyMessage),
    v.trim(),
    v.minLength(1, emptyMessage),
    v.maxLength(max, `Please use at most ${max} characters`),
    v.regex(/^\P{Cc}*$/u, PLAIN_LINE_RULE),
  );

/** Required one-line text: trimmed, not empty, without characters that aren't seen. */
export const text = (emptyMessage: string, max?: number) =>
  v.pipe(pastedText(emptyMessage, max), v.check(isPlainLine, PLAIN_LINE_RULE));

/** Of a link that we have mailed. */
export const linkToken = v.pipe(v.string(), v.regex(/^[\w-]{43}$/, 'This link isn’t one of ours'));

export const LINK_INCOMPLETE = 'This link is incomplete. Please open it from the email again.';

/** Of a link that stops mails. */
export const unsubscribeToken = v.pipe(v.string(), v.regex(/^[\w-]{60,1000}$/, LINK_INCOMPLETE));

/** Text that may be missing or empty; empty when missing. */
export const optionalText = (max = 200) =>
  v.optional(
    v.pipe(
      v.string(),
      v.trim(),
      v.maxLength(max, `Please use at most ${max} characters`),
      v.check(isPlainLine, PLAIN_LINE_RULE),
    ),
    '',
  );

/** A whole number, or its digits as text (forms send text). */
export const wholeNumber = (message: string) =>
  v.pipe(
    v.union(
      [v.number(), v.pipe(v.string(), v.trim(), v.regex(/^\d{1,15}$/), v.transform(Number))],
      message,
    ),
    v.safeInteger(message),
  );

/** Dollars as a number or as text. */
export const dollars = (message: string) =>
  v.pipe(
    v.union(
      [
        v.number(),
        v.pipe(v.string(), v.trim(), v.regex(/^\d{1,9}(\.\d{1,2})?$/), v.transform(Number)),
      ],
      message,
    ),
    v.finite(message),
    v.minValue(0, message),
  );

/** A yes or no as JSON or as a form sends it. */
export const flag = v.union([
  v.boolean(),
  v.pipe(
    v.picklist(['true', 'false', 'on', 'off', '1', '0', '']),
    v.transform((word) => word === 'true' || word === 'on' || word === '1'),
  ),
]);

export const EMAIL_RULE = 'Please enter a valid email address';

export const email = (message: string) =>
  v.pipe(v.string(message), v.trim(), v.check(isEmail, message), v.transform(normalizeEmail));

export const newPassword = v.pipe(v.string(PASSWORD_RULE), v.check(isPassword, PASSWORD_RULE));

const PHONE_RULE = 'Phone number must be at least 10 characters';
/** A phone number; everything but digits is dropped. */
export const phone = (message = PHONE_RULE) =>
  v.pipe(
    v.string(message),
    v.transform((typed) => typed.replaceAll(/\D/g, '')),
    v.minLength(10, message),
    v.maxLength(15, 'Phone number must be at most 15 digits'),
  );

const IG_USERNAME_RULE = 'Please enter a username: 1 to 30 letters, digits, dots or underscores';
export const igUsername = v.pipe(
  v.string(IG_USERNAME_RULE),
  v.check((typed) => parseIgUsername(typed) !== undefined, IG_USERNAME_RULE),
  v.transform((typed) => parseIgUsername(typed) ?? typed),
);

/** An id of the network: digits beyond 2^53, so always text. */
const networkId = v.pipe(v.string(), v.regex(/^\d{1,32}$/, 'This isn’t an id from the network'));

/** The type says whose id it is; the check of the text is the same for each kind. */
export const igId = networkId as v.GenericSchema<string, IgId>;
export const postId = networkId as v.GenericSchema<string, PostId>;

export const uuid = v.pipe(v.string(), v.uuid('This isn’t an id'));
export const accountId = uuid as v.GenericSchema<string, AccountId>;
export const orderId = uuid as v.GenericSchema<string, OrderId>;

export const timeZone = v.pipe(
  v.string(),
  v.maxLength(64),
  v.check(isTimeZone, 'This isn’t a time zone'),
);

/** An instant on the wire: ISO 8601 in UTC. */
export const instant = v.pipe(v.string(), v.isoTimestamp());

/** An instant that somebody asks for. */
export const askedInstant = v.pipe(
  v.string('This isn’t a date'),
  v.isoTimestamp('This isn’t a date'),
  // Beyond these years JavaScript's dates are none to Postgres; an offset can lead there too.
  v.check((at) => {
    const year = new Date(at).getUTCFullYear();
    return year >= 1 && year <= 9999;
  }, 'This isn’t a date'),
);
