import type { Generated } from 'kysely';

/** One kind of breach of the content policy, as browsers have reported it. */
export interface PolicyReportTable {
  /** A hash of what makes it this kind. */
  key: string;
  /** The rule that was broken: "script-src-elem". */
  directive: string;
  /** What was kept out: an address without its query, or "inline", "eval", "data". */
  blocked: string;
  /** On which page, without its query. */
  page: string;
  /** The script that asked for it; empty where the browser doesn't say. */
  source: string;
  first_at: Date;
  last_at: Date;
  times: Generated<number>;
}
