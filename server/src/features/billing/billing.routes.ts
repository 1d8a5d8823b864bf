import type { Hono } from 'hono';
import { CALLS } from '#shared/contract/calls.ts';
import type { Deps } from '../../deps.ts';
import { registerCall } from '../../http/register-call.ts';
import { createSubmits } from '../../http/submit.service.ts';
import { addSubscription } from './add-subscription.service.ts';

export function registerBillingRoutes(app: Hono, deps: Deps): void {
  const submits = createSubmits(deps);

  registerCall(app, CALLS.addSubscription, deps, ({ input: form, ...asked }) =>
    addSubscription(deps, submits, { ...asked, form }),
  );
  registerCall(app, CALLS.addSubscriptionWithSavedCard, deps, ({ input: form, ...asked }) =>
    addSubscription(deps, submits, { ...asked, form }),
  );
}
