import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { linkToken, unsubscribeToken } from '../fields.ts';

/** Whoever has the link may: nobody is logged in. */
const call = { method: 'POST', encoding: 'json', session: 'none' } as const;

export const confirmReports = defineCall({
  ...call,
  path: '/user/report/mail/confirm',
  summary: 'Says yes to monthly reports, by the link that was mailed to an address outside.',
  input: v.object({ token: linkToken }),
  data: v.null(),
  errors: ['invitation_over', 'rate_limited'],
});

export const unsubscribe = defineCall({
  ...call,
  path: '/user/mail/unsubscribe',
  summary: 'Stops the emails of one kind, by the link at their foot.',
  input: v.object({ token: unsubscribeToken }),
  data: v.object({ stopped: v.picklist(['alert_digest', 'client_report']) }),
  errors: ['not_found'],
});
