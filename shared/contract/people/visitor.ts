import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { email, EMAIL_RULE, instant, text, uuid } from '../fields.ts';

export const openPromo = defineCall({
  method: 'POST',
  path: '/user/promo/open',
  encoding: 'json',
  session: 'none',
  summary: 'Opens this browser’s one promo window, or says how much of it is left.',
  input: v.object({}),
  data: v.object({
    credits: v.number(),
    /** The server's clock, so that a wrong clock of the browser doesn't matter. */
    now: instant,
    endsAt: instant,
  }),
  errors: [],
});

export const addTicket = defineCall({
  method: 'POST',
  path: '/user/support/addTicket',
  encoding: 'json',
  session: 'none',
  summary: 'Emails a question to support.',
  input: v.object({
    name: text('Please enter your name', 100),
    email: email(EMAIL_RULE),
    message: v.pipe(
      v.string('Please enter a message'),
      v.trim(),
      v.minLength(1, 'Please enter a message'),
      v.maxLength(5000, 'Please use at most 5000 characters'),
    ),
  }),
  data: v.object({ ticketId: uuid }),
  errors: ['rate_limited', 'idempotency_conflict'],
});
