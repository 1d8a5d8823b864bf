/** The errors the network can answer, by what they mean. Codes are those of its documentation. */
const KINDS = {
  unknown_name: { status: 400, code: 110, subcode: 2_207_013 },
  token: { status: 401, code: 190, subcode: 463 },
  permission: { status: 403, code: 10 },
  invalid: { status: 400, code: 100 },
  syntax: { status: 400, code: 2500 },
  gone: { status: 400, code: 100, subcode: 33 },
  app_throttled: { status: 403, code: 4 },
  user_throttled: { status: 403, code: 17 },
  page_throttled: { status: 403, code: 32 },
  custom_throttled: { status: 403, code: 613 },
  business_throttled: { status: 403, code: 80_002 },
  too_many_requests: { status: 429, code: 80_002 },
  too_much: { status: 500, code: 1 },
  passing: { status: 500, code: 2 },
  blocked: { status: 403, code: 368 },
} as const satisfies Record<string, { status: number; code: number; subcode?: number }>;

export type GraphErrorKind = keyof typeof KINDS;

interface GraphErrorDetails {
  subcode?: number;
  code?: number;
  headers?: Readonly<Record<string, string>>;
  /** Usage to report beside the error. */
  usage?: Usage;
}

/** An error of the network, to be answered as its documented JSON. */
export class GraphError extends Error {
  readonly kind: GraphErrorKind;
  readonly details: GraphErrorDetails;

  constructor(kind: GraphErrorKind, message: string, details: GraphErrorDetails = {}) {
    super(message);
    this.name = 'GraphError';
    this.kind = kind;
    this.details = details;
  }

  get status(): number {
    return KINDS[this.kind].status;
  }

  /** `traceId` stands in fbtrace_id. */
  toBody(traceId: string): string {
    const kind = KINDS[this.kind];
    const subcode = this.details.subcode ?? ('subcode' in kind ? kind.subcode : undefined);
    return JSON.stringify({
      error: {
        message: this.message,
        type: 'OAuthException',
        code: this.details.code ?? kind.code,
        ...(subcode === undefined ? {} : { error_subcode: subcode }),
        is_transient: this.kind === 'passing',
        fbtrace_id: traceId,
      },
    });
  }
}

/** Name unknown, renamed, personal, private or age-gated: the network tells them all alike. */
export function unknownName(username: string): GraphError {
  return new GraphError(
    'unknown_name',
    `Invalid user id: The user with username: ${username} cannot be found.`,
  );
}

/** The object was deleted, never existed, or isn't ours to see: again all alike. */
export function goneObject(id: string): GraphError {
  return new GraphError(
    'gone',
    `Unsupported get request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation`,
  );
}

export function invalidCursor(): GraphError {
  return new GraphError(
    'invalid',
    '(#100) The After Cursor specified exceeds the max limit supported by this endpoint or is no longer valid',
  );
}

/** Percentages of the allowance as the network reports them, and minutes until access returns. */
export interface Usage {
  percent: number;
  regainMinutes: number;
}

/** The two usage headers. @param ownId id of the asking account, the key of the business header */
export function usageHeaders(ownId: string, usage: Usage): Record<string, string> {
  const { percent, regainMinutes } = usage;
  const cpu = Math.floor(percent / 2);
  return {
    'x-app-usage': `{"call_count":${percent},"total_time":${cpu},"total_cputime":${cpu}}`,
    'x-business-use-case-usage': `{"${ownId}":[{"type":"instagram","call_count":${percent},"total_cputime":${cpu},"total_time":${cpu},"estimated_time_to_regain_access":${regainMinutes}}]}`,
  };
}
