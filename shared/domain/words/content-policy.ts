/** Where the gateway's own script comes from; undefined with the product's own form. */
interface CardScript {
  scriptUrl: string;
}

export const STRIPE_SCRIPT_HOST = 'js.stripe.com';

/**
 * What a page of the product may load: scripts only from its own files, and where cards are entered in the
 * gateway's fields that one script and its frames; styles also inline, because Mantine sets them.
 */
export function contentPolicy(
  cardEntry: { way: 'form' } | ({ way: 'gateway' } & CardScript),
): string {
  const gateway = cardEntry.way === 'gateway' ? gatewaySources(cardEntry) : undefined;
  return [
    "default-src 'self'",
    ["script-src 'self'", ...(gateway?.script ?? [])].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' blob: data:",
    "worker-src 'self' blob:",
    ...(gateway
      ? [
          `connect-src ${["'self'", ...gateway.connect].join(' ')}`,
          `frame-src ${gateway.frame.join(' ')}`,
        ]
      : []),
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Where browsers report what the policy kept out. */
export const POLICY_REPORTS_PATH = '/content-policy/reports';
/**
 * The policy as the server sends it: whatever it keeps out is reported. Not by `report-to`: Chromium then no longer
 * heeds `report-uri`, and sends such reports a minute later, over https, or not at all.
 */
export function reportedContentPolicy(cardEntry: Parameters<typeof contentPolicy>[0]): string {
  return `${contentPolicy(cardEntry)}; report-uri ${POLICY_REPORTS_PATH}`;
}

/** The gateway's own hosts as it names them for a content policy; of the sandbox its one origin. */
function gatewaySources({
  scriptUrl,
}: CardScript): Record<'script' | 'connect' | 'frame', string[]> {
  const { origin, host } = new URL(scriptUrl);
  if (host !== STRIPE_SCRIPT_HOST) return { script: [origin], connect: [origin], frame: [origin] };
  const script = [origin, `https://*.${STRIPE_SCRIPT_HOST}`];
  return {
    script,
    connect: ['https://api.stripe.com'],
    frame: [...script, 'https://hooks.stripe.com'],
  };
}
