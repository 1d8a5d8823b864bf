import type { Hono } from 'hono';
import { CALLS } from '#shared/contract/calls.ts';
import type { Deps } from '../../deps.ts';
import { registerCall } from '../../http/register-call.ts';
import { createSubmits } from '../../http/submit.service.ts';
import { submitTicket } from './submit-ticket.service.ts';

export function registerSupportRoutes(app: Hono, deps: Deps): void {
  const submits = createSubmits(deps);
  registerCall(app, CALLS.addTicket, deps, ({ input, address, idempotencyKey }) =>
    submitTicket(deps, submits, { form: input, address, idempotencyKey }),
  );
}
