import type { Hono } from 'hono';
import { getPosts as getPostsCall } from '#shared/contract/post.ts';
import type { Deps } from '#server/kit/deps.ts';
import { registerCall } from './http/register-call.ts';
import { getPosts } from '#server/read-model/posts.service.ts';

/** `GET /user/instagram/getPostsByIgId` */
export function registerPostRoutes(app: Hono, deps: Deps): void {
  registerCall(app, getPostsCall, deps, async ({ input, session }) => ({
    data: await getPosts(deps, { ...input, workspaceId: session.workspaceId }),
  }));
}
