import * as v from 'valibot';
import { REPORT_MONTH } from '../../domain/accounts/report-month.ts';
import { defineCall } from '../call.ts';
import { email, optionalText, uuid } from '../fields.ts';

const figures = {
  posts: v.number(),
  organic: v.nullable(v.number()),
  delivered: v.number(),
  retention: v.nullable(v.number()),
  halfSeconds: v.nullable(v.number()),
  mostSeconds: v.nullable(v.number()),
};

/** As `shared/domain/accounts/client-report.ts` says. */
const Report = v.object({
  clientName: v.nullable(v.string()),
  agency: v.nullable(v.object({ name: v.string(), logo: v.nullable(v.string()) })),
  month: v.string(),
  madeOn: v.string(),
  totals: v.object(figures),
  unknownPosts: v.number(),
  /** Left out: by an earlier server. */
  timeZone: v.optional(v.string()),
  /** Left out: they aren't. */
  isDemoData: v.optional(v.boolean()),
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

const forClient = {
  userId: uuid,
  /** null: all accounts. */
  clientId: v.nullable(uuid),
};

/** Who is mailed the report each month, and whose name and logo stand on all of the workspace's reports. */
const ReportMail = v.object({
  brand: v.nullable(v.object({ name: v.string(), logo: v.nullable(v.string()) })),
  addresses: v.array(v.string()),
  /** Those of them that haven’t confirmed yet: they get nothing until they do. */
  waiting: v.array(v.string()),
  members: v.array(
    v.object({ id: uuid, name: v.string(), email: v.string(), isChosen: v.boolean() }),
  ),
  next: v.nullable(v.object({ month: v.string(), at: v.string() })),
  /** The newest month that was mailed. */
  lastSent: v.nullable(v.string()),
});
export type ReportMail = v.InferOutput<typeof ReportMail>;

export const findReportMail = defineCall({
  ...call,
  path: '/user/report/mail/find',
  summary: 'Who is mailed a client’s report each month, and whose name and logo stand on it.',
  input: v.object(forClient),
  data: ReportMail,
  errors: ['not_yours', 'not_found'],
});

const TOO_MANY = 'Please choose at most 20.';

export const saveReportMail = defineCall({
  ...call,
  path: '/user/report/mail/saveRecord',
  summary: 'Says who is mailed a client’s report each month; nobody: it isn’t mailed.',
  input: v.object({
    ...forClient,
    addresses: v.pipe(v.array(email('Please enter a valid email')), v.maxLength(20, TOO_MANY)),
    memberIds: v.pipe(v.array(uuid), v.maxLength(20, TOO_MANY)),
  }),
  data: ReportMail,
  errors: ['not_yours', 'not_allowed', 'not_found', 'rate_limited'],
});

export const saveReportBrand = defineCall({
  ...call,
  path: '/user/report/brand/saveRecord',
  summary: 'The name and logo on the workspace’s reports; an empty name: the product’s.',
  input: v.object({
    ...forClient,
    name: optionalText(60),
    /** A PNG or JPEG in base64; null: none; left out: as it was. */
    logo: v.optional(v.nullable(v.pipe(v.string(), v.base64('Please choose a PNG or JPEG.')))),
  }),
  data: ReportMail,
  errors: ['not_yours', 'not_allowed', 'not_found', 'rate_limited'],
});
