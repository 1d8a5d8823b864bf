import { PULL_PATH } from '#shared/sync/pull.ts';
import { PUSH_PATH } from '#shared/sync/push.ts';
import { SNAPSHOT_PATH } from '#shared/sync/snapshot.ts';
import { STREAM_PATH } from '#shared/sync/stream.ts';
import { VERIFY_PATH } from '#shared/sync/verify.ts';
import { syncPath } from './sync-server.ts';

/** What is served besides the calls, only to whoever is signed in, and how it is asked for. */
export const GUARDED_ROUTES: Record<string, string> = {
  'GET /proxy/:imagePath': '/proxy/x',
  'GET /user/creditsTransaction/ledger.csv': '/user/creditsTransaction/ledger.csv',
  'POST /user/sync/pull': syncPath(PULL_PATH),
  'POST /user/sync/push': syncPath(PUSH_PATH),
  'POST /user/sync/verify': syncPath(VERIFY_PATH),
  'GET /user/sync/snapshot': syncPath(SNAPSHOT_PATH),
  'GET /user/sync/stream': syncPath(STREAM_PATH),
};
