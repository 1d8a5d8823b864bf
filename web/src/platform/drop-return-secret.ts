import { PAYMENT_RETURN } from '#shared/domain/page-paths.ts';

/**
 * Takes the payment's secret, which banks add to the address that they lead back to, out of it, before a router, a
 * log-in or a script of the gateway's reads it.
 */
export function dropReturnSecret(): void {
  if (location.pathname !== PAYMENT_RETURN) return;
  const [ours = '?'] = /^\?payment=[^&]*/.exec(location.search) ?? [];
  history.replaceState(null, '', ours);
}
