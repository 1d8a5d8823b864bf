import 'hono';

declare module 'hono' {
  /** What the middleware of `app.ts` finds out about every request; `identity/http` adds who asks. */
  interface ContextVariableMap {
    requestId: string;
    /** The client's address; empty when there is no connection (a call inside the process). */
    address: string;
    /** Why it was refused, once it was. */
    errorCode: string | undefined;
  }
}
