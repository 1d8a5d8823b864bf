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
