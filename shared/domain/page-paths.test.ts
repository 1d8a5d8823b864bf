import { expect, test } from 'vitest';
import { pageSource } from './page-paths.ts';

test.each(['/dashboard', '/my-billing', '/login', '/other-account-subscription', '/no/such/page'])(
  'the kept shell opens %s',
  (path) => expect(pageSource(path)).toBe('shell'),
);

test.each(['/', '/terms-of-service', '/privacy-policy'])(
  'the server is asked for %s first, because it holds facts of the moment',
  (path) => expect(pageSource(path)).toBe('server_first'),
);

test.each(['/user/credits/ledger', '/proxy/abc', '/docs', '/provider/x', '/icons/icon-192.png'])(
  'only the server answers %s',
  (path) => expect(pageSource(path)).toBe('server'),
);
