import type { Hono } from 'hono';
import { CALLS } from '#shared/contract/calls.ts';
import type { Deps } from '../../deps.ts';
import { registerCall } from '../../http/register-call.ts';
import { addTicket } from './support.service.ts';

export function registerSupportRoutes(app: Hono, deps: Deps): void {
  registerCall(app, CALLS.addTicket, deps, async ({ input, address }) => {
    const ticketId = await addTicket(deps, input, address);
    return { data: { ticketId }, message: 'Your message is on its way to support' };
  });
}
