import { Hono } from 'hono';
import { ownerSession } from '#test/people/owner-session.ts';
import { expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { errorResponse } from '#server/kit/http/error-response.ts';
import '#server/kit/http/request-context.ts';
import { sessionShare } from './session-share.ts';

/** An app whose handlers work until they are let go on; the session is the one the request names, `user/device`. */
function startApp(limits?: Parameters<typeof sessionShare>[0]) {
  const working: Array<{ session: string; path: string; end: () => void }> = [];
  const app = new Hono();
  app.onError((error, c) => errorResponse(c, { log: console }, error));
  app.use(async (c, next) => {
    const id = c.req.query('session');
    const [userId = ''] = (id ?? '').split('/');
    c.set('session', id ? ownerSession({ sessionId: id, userId, workspaceId: userId }) : undefined);
    await next();
  });
  app.use(sessionShare(limits));
  app.all('*', async (c) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    working.push({ session: c.req.query('session') ?? '', path: c.req.path, end: resolve });
    await promise;
    return c.text('done');
  });
  const ask = async (session: string, path = '/read'): Promise<number> =>
    (await app.request(`${path}?session=${session}`)).status;
  const workingFor = (session: string): number =>
    working.filter((each) => each.session === session).length;
  const endOne = (): void => working.shift()?.end();
  /** Ends what is worked on, one after the other, until all has been answered. */
  const finish = async (answers: Promise<number>[]): Promise<number[]> => {
    const all = Promise.all(answers);
    const state = { isOver: false };
    void all.then(() => (state.isOver = true));
    while (!state.isOver) {
      endOne();
      await new Promise((resolve) => setImmediate(resolve));
    }
    return all;
  };
  return { ask, endOne, workingFor, finish };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('of 20 requests of one session 4 are worked on, and all are answered in turn', async () => {
  const { ask, workingFor, finish } = startApp();
  const answers = Array.from({ length: 20 }, () => ask('ada'));
  await settled();
  expect(workingFor('ada')).toBe(4);
  expect(await finish(answers)).toEqual(Array.from({ length: 20 }, () => 200));
});

test('the sessions of one person have one share together', async () => {
  const { ask, workingFor, finish } = startApp();
  const answers = ['ada/phone', 'ada/laptop', 'bob/phone'].flatMap((session) =>
    Array.from({ length: 4 }, () => ask(session)),
  );
  await settled();
  expect(['ada/phone', 'ada/laptop', 'bob/phone'].map(workingFor)).toEqual([4, 0, 4]);
  expect(await finish(answers)).toEqual(Array.from({ length: 12 }, () => 200));
});

test('the session of somebody else, and who has none, waits for nobody', async () => {
  const { ask, workingFor, finish } = startApp();
  const answers = Array.from({ length: 20 }, () => ask('ada'));
  answers.push(ask('bob'), ask(''), ask(''));
  await settled();
  expect([workingFor('bob'), workingFor('')]).toEqual([1, 2]);
  await finish(answers);
});

test('beyond the queue a session is asked to come back', async () => {
  const { ask, finish } = startApp({ concurrency: 1, waiting: 2 });
  const answers = ['ada', 'ada', 'ada', 'ada', 'bob'].map((session) => ask(session));
  expect(await finish(answers)).toEqual([200, 200, 200, 429, 200]);
});

test('of 140 requests of one session 4 are worked on, 128 wait, and the others are to come back', async () => {
  const { ask, finish } = startApp();
  const statuses = await finish(Array.from({ length: 140 }, () => ask('ada')));
  expect(statuses.filter((status) => status === 200)).toHaveLength(132);
  expect(statuses.filter((status) => status === 429)).toHaveLength(8);
});

test('a session has one share for as long as any of its requests is worked on', async () => {
  const { ask, endOne, workingFor, finish } = startApp({ concurrency: 2, waiting: 2 });
  const answers = [ask('ada'), ask('ada')];
  await settled();
  endOne();
  await answers[0];
  answers.push(ask('ada'), ask('ada'));
  await settled();
  expect(workingFor('ada')).toBe(2);
  await finish(answers);
});

test('a payment that waits for its gateway holds up nothing else', async () => {
  const { ask, workingFor, finish } = startApp({ concurrency: 1, waiting: 2 });
  const payments = Array.from({ length: 5 }, () => ask('ada', CALLS.buyCredits.path));
  const answers = [...payments, ask('ada')];
  await settled();
  expect(workingFor('ada')).toBe(6);
  await finish(answers);
});

test.each([CALLS.findSessions, CALLS.endSession, CALLS.updatePassword, CALLS.logout])(
  'whoever floods from one session can’t keep the person from $path in another',
  async ({ path }) => {
    const { ask, workingFor, finish } = startApp({ concurrency: 1, waiting: 1 });
    const answers = Array.from({ length: 4 }, () => ask('ada/stolen'));
    answers.push(...Array.from({ length: 4 }, () => ask('ada/stolen', path)));
    answers.push(ask('ada/laptop', path));
    await settled();
    expect([workingFor('ada/stolen'), workingFor('ada/laptop')]).toEqual([2, 1]);
    expect((await finish(answers)).at(-1)).toBe(200);
  },
);
