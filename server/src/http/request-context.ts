import type { Session, SessionEnd } from '../features/users/session.service.ts';
import type { InShare } from './session-share.ts';

declare module 'hono' {
  /** What the middleware of `app.ts` finds out about every request. */
  interface ContextVariableMap {
    requestId: string;
    /** The client's address; empty when there is no connection (a call inside the process). */
    address: string;
    /** Why it was refused, once it was. */
    errorCode: string | undefined;
    /** Who asks; on `/user/**` and `/proxy/**` only. */
    session: Session | undefined;
    /** Why the cookie that was sent is no session; undefined without one, and with a session. */
    sessionEnd: SessionEnd | undefined;
    /** Runs what is done after the handler, part by part, within the session's share. */
    inShare: InShare;
  }
}
