import * as v from 'valibot';
import { REPORT_MONTH } from '../domain/report-month.ts';
import { defineCall } from './call.ts';
import { uuid } from './fields.ts';

const figures = {
  posts: v.number(),
  organic: v.nullable(v.number()),
  delivered: v.number(),
  retention: v.nullable(v.number()),
  halfSeconds: v.nullable(v.number()),
  mostSeconds: v.nullable(v.number()),
};

/** As `shared/domain/client-report.ts` says. */
const Report = v.object({
  clientName: v.nullable(v.string()),
  agency: v.nullable(v.object({ name: v.string(), logo: v.nullable(v.string()) })),
  month: v.string(),
  madeOn: v.string(),
  totals: v.object(figures),
  unknownPosts: v.number(),
  days: v.array(
    v.object({
      day: v.string(),
      posts: v.number(),
      organic: v.number(),
      delivered: v.number(),
    }),
  ),
  accounts: v.array(v.object({ igUsername: v.string(), ...figures })),
});

const which = {
  userId: uuid,
  /** null: all accounts; left out: those, or the first client for whoever sees some clients only. */
  clientId: v.optional(v.nullable(uuid)),
  /** Left out: this month. */
  month: v.optional(v.pipe(v.string(), v.regex(REPORT_MONTH, 'Please choose a month.'))),
};
const call = { method: 'POST', encoding: 'json', session: 'required' } as const;

export const findReport = defineCall({
  ...call,
  path: '/user/report/find',
  summary:
    'What a client’s posts of a month have come to: likes, purchased and organic apart, and how soon they were delivered.',
  input: v.object(which),
  data: v.object({
    /** Whose reports the person may see. */
    clients: v.array(v.object({ id: uuid, name: v.string() })),
    seesAll: v.boolean(),
    clientId: v.nullable(uuid),
    /** This month: later ones haven’t begun. */
    newestMonth: v.string(),
    report: Report,
  }),
  errors: ['not_yours', 'not_found', 'rate_limited'],
});

export const downloadReport = defineCall({
  ...call,
  path: '/user/report/download',
  summary: 'The same report as a PDF, in base64.',
  input: v.object(which),
  data: v.object({ fileName: v.string(), pdf: v.string() }),
  errors: ['not_yours', 'not_found', 'rate_limited'],
});
