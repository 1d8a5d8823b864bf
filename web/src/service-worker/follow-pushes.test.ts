import { expect, test } from 'vitest';
import { followPushes, type PushScope } from './follow-pushes.ts';

const ORIGIN = 'https://ovation.example';
type Listener = Parameters<PushScope['addEventListener']>[1];
type Event = Parameters<Listener>[0];

/** A service worker's surroundings, with or without an open page; notes what it did. */
function openScope({ isPageOpen = false } = {}) {
  const done: unknown[] = [];
  const listeners = new Map<string, Listener>();
  const page = {
    focus: async () => void done.push('focus'),
    navigate: async (url: string) => void done.push(['navigate', url]),
  };
  followPushes({
    location: { origin: ORIGIN },
    registration: {
      showNotification: async (title, options) => void done.push([title, options]),
    },
    clients: {
      matchAll: async () => (isPageOpen ? [page] : []),
      openWindow: async (url) => void done.push(['open', url]),
    },
    addEventListener: (type, listener) => void listeners.set(type, listener),
  });
  const fire = async (type: string, event: Partial<Event>): Promise<void> => {
    const works: Array<Promise<unknown>> = [];
    listeners.get(type)?.({ ...event, waitUntil: (work) => void works.push(work) });
    await Promise.all(works);
  };
  return { done, fire };
}

const click = (data: unknown): Partial<Event> => ({
  notification: { data, close: () => undefined },
});

test('a message is shown as it was sent, with the tag of the page’s own notice', async () => {
  const { done, fire } = openScope();
  const text = { title: 'Likes delivered: @ada', body: '500 likes', path: '/dashboard?post=7' };
  await fire('push', { data: { json: () => text } });
  const tag = 'Likes delivered: @ada/dashboard?post=7';
  const shown = { body: '500 likes', icon: '/favicon.svg', tag, data: '/dashboard?post=7' };
  expect(done).toEqual([['Likes delivered: @ada', shown]]);
});

test.each([
  ['no data', undefined],
  ['no JSON', () => JSON.parse('<') as unknown],
  ['another shape', () => ({ title: 1 })],
  ['null', () => null],
])('a message with %s still shows something', async (_what, json) => {
  const { done, fire } = openScope();
  await fire('push', json ? { data: { json } } : {});
  expect(done).toEqual([['Ovation', expect.objectContaining({ body: 'Likes delivered' })]]);
});

test('a click opens the receipt, in the page that is open or in a new one', async () => {
  const open = openScope({ isPageOpen: true });
  await open.fire('notificationclick', click('/dashboard?post=7'));
  expect(open.done).toEqual(['focus', ['navigate', `${ORIGIN}/dashboard?post=7`]]);
  const none = openScope();
  await none.fire('notificationclick', click('/dashboard?post=7'));
  expect(none.done).toEqual([['open', `${ORIGIN}/dashboard?post=7`]]);
});

test.each(['https://elsewhere.example/', '//elsewhere.example/', 'javascript:alert(1)'])(
  'a click never leads to %s',
  async (path) => {
    const { done, fire } = openScope();
    await fire('notificationclick', click(path));
    expect(done).toEqual([['open', `${ORIGIN}/dashboard`]]);
  },
);
