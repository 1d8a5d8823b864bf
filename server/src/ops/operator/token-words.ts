import type { GraphToken } from '#server/network/allowance/graph-tokens.ts';

/** How a token stands, in a few words. */
export function tokenWords(token: GraphToken): string {
  switch (token.state) {
    case 'serving':
      return `token ${token.bucketId} serves, ${token.percent}% used`;
    case 'throttled':
      return `token ${token.bucketId} is throttled until ${token.until.toISOString()}`;
    case 'refused': {
      const again = token.retryAt ? `, tried again at ${token.retryAt.toISOString()}` : '';
      return `token ${token.bucketId} is refused (code ${token.code})${again}`;
    }
    default:
      return token satisfies never;
  }
}
