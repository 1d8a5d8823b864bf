import type { Hono } from 'hono';
import { CALLS } from '#shared/contract/calls.ts';
import type { Deps } from '#server/kit/deps.ts';
import { registerCall } from './http/register-call.ts';
import type { Attempts } from '#server/kit/attempts/attempt.service.ts';
import { submitTicket } from '#server/use-cases/customers/support.service.ts';

export function registerSupportRoutes(app: Hono, deps: Deps, attempts: Attempts): void {
  registerCall(app, CALLS.addTicket, deps, ({ input, address, idempotencyKey }) =>
    submitTicket(deps, attempts, { form: input, address, idempotencyKey }),
  );
}
