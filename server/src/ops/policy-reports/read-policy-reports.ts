import * as v from 'valibot';
import { holdsCardNumber } from '#shared/domain/money/card-number.ts';

/** A breach of the content policy, without what says who it happened to. */
export interface PolicyReport {
  directive: string;
  blocked: string;
  page: string;
  source: string;
}

const TEXT_MAX = 2000;
const SHOWN_MAX = 200;
/** More in one request is no browser of ours. */
const REPORTS_MAX = 20;

const text = v.optional(v.pipe(v.string(), v.maxLength(TEXT_MAX)), '');

/** `report-uri`: one report in words of its own. */
const Old = v.object({
  'csp-report': v.object({
    'document-uri': text,
    'effective-directive': text,
    'violated-directive': text,
    'blocked-uri': text,
    'source-file': text,
  }),
});

/** `report-to`: a list of reports of several kinds. */
const New = v.pipe(
  v.array(
    v.object({
      type: text,
      body: v.optional(
        v.object({
          documentURL: text,
          effectiveDirective: text,
          blockedURL: text,
          sourceFile: text,
        }),
      ),
    }),
  ),
  v.maxLength(REPORTS_MAX),
);

/** The reports in a request's body, in either of the two forms browsers have; none in what is neither. */
export function readPolicyReports(body: unknown): PolicyReport[] {
  const old = v.safeParse(Old, body);
  if (old.success) {
    const told = old.output['csp-report'];
    return reportOf({
      directive: told['effective-directive'] || told['violated-directive'],
      blocked: told['blocked-uri'],
      page: told['document-uri'],
      source: told['source-file'],
    });
  }
  const list = v.safeParse(New, body);
  if (!list.success) return [];
  return list.output.flatMap(({ type, body: told }) =>
    type === 'csp-violation' && told
      ? reportOf({
          directive: told.effectiveDirective,
          blocked: told.blockedURL,
          page: told.documentURL,
          source: told.sourceFile,
        })
      : [],
  );
}

function reportOf(told: PolicyReport): PolicyReport[] {
  const [directive = ''] = told.directive.split(' ');
  if (!/^[a-z-]{1,40}$/.test(directive)) return [];
  // Anybody could plant one, which would be kept.
  if (holdsCardNumber(told)) return [];
  const page = URL.parse(told.page)?.pathname ?? '';
  return [
    {
      directive,
      blocked: placeOf(told.blocked),
      page: page.slice(0, SHOWN_MAX),
      source: placeOf(told.source),
    },
  ];
}

/** An address without query, fragment and password, or the word that stands for one. */
function placeOf(told: string): string {
  if (/^[a-z-]{0,30}$/.test(told)) return told;
  const url = URL.parse(told);
  if (!url) return 'unreadable';
  if (/^(?:chrome|moz|safari|safari-web|ms-browser)-extension:$/.test(url.protocol)) {
    return 'browser extension';
  }
  return /^https?:$/.test(url.protocol)
    ? `${url.origin}${url.pathname}`.slice(0, SHOWN_MAX)
    : url.protocol.slice(0, SHOWN_MAX);
}
