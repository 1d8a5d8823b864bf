import { Hono } from 'hono';
import type { SandboxContext, SandboxPart } from '../context.ts';
import { accountRoutes } from './accounts.routes.ts';
import { faultRoutes } from './faults.routes.ts';
import { accountPostRoutes, postRoutes } from './posts.routes.ts';

/** The control calls about accounts, posts, faults and statistics. */
export function registerControl(app: Hono, ctx: SandboxContext): SandboxPart {
  const control = new Hono();
  control.route('/accounts', accountRoutes(ctx));
  control.route('/accounts', accountPostRoutes(ctx));
  control.route('/posts', postRoutes(ctx));
  control.route('/faults', faultRoutes(ctx));
  control.get('/stats', (c) => c.json(ctx.stats.read()));
  app.route('/control', control);
  return {};
}
