import type { Hono } from 'hono';
import { CALLS } from '#shared/contract/calls.ts';
import type { Deps } from '../../deps.ts';
import { registerCall } from '../../http/register-call.ts';
import { createSubmits } from '../../http/submit.service.ts';
import { addSubscription } from './add-subscription.service.ts';

export function registerBillingRoutes(app: Hono, deps: Deps): void {
  const submits = createSubmits(deps);

  registerCall(app, CALLS.addSubscription, deps, ({ session, input, idempotencyKey, address }) =>
    addSubscription(deps, submits, { session, form: input, idempotencyKey, address }),
  );
}
