import { expect, test } from 'vitest';
import {
  accept,
  ACCOUNT,
  ada,
  likes,
  NOW,
  deferred,
  refuse,
  settings,
  unreachable,
  openChanges,
} from '#web/testing/open-changes.ts';

test('while live an order of extra likes is done within its call', async () => {
  const { changes, sent, outbox } = await openChanges(accept);
  expect(await changes.orderLikes(likes)).toEqual({ kind: 'done' });
  expect(sent).toHaveLength(1);
  expect(await outbox()).toEqual([]);
});

test('offline an order waits, and shows at once on the post and in the credits', async () => {
  const { changes, sent, shown, outbox } = await openChanges(accept, {
    kind: 'offline',
    asOf: NOW,
  });
  expect(await changes.orderLikes(likes)).toEqual({ kind: 'queued' });
  expect(await shown('post')).toMatchObject({ totalLikesPurchased: 25 });
  expect(await shown('wallet')).toMatchObject({ credits: 475 });
  expect(await outbox()).toMatchObject([
    {
      state: { kind: 'queued' },
      title:
        '25 extra likes for “A morning at the harbour, long before th…” of @ada.paints, posted Nov 21, 2026, 11:00 AM',
    },
  ]);
  expect(sent).toEqual([]);
});

test('an order keeps its id however often it is sent', async () => {
  const { changes, state, sent, push, outbox } = await openChanges(unreachable);
  expect(await changes.orderLikes(likes)).toEqual({ kind: 'queued' });
  state.answer = accept;
  await push();
  expect(sent).toHaveLength(2);
  expect(sent[0]).toEqual(sent[1]);
  expect(sent[0]?.args).toMatchObject({ orderId: expect.stringMatching(/-7[0-9a-f]{3}-/) });
  expect(await outbox()).toEqual([]);
});

test('refused within its call, an order leaves nothing behind but the reason', async () => {
  const { changes, shown, outbox } = await openChanges(refuse);
  expect(await changes.orderLikes(likes)).toEqual({
    kind: 'refused',
    code: 'credits_too_low',
    message: 'Too few credits.',
  });
  expect(await outbox()).toEqual([]);
  expect(await shown('wallet')).toMatchObject({ credits: 500 });
});

test('refused later, an order stays with its reason until it is sent again or discarded', async () => {
  const { changes, state, setStatus, push, shown, outbox } = await openChanges(refuse, {
    kind: 'offline',
    asOf: NOW,
  });
  await changes.orderLikes(likes);
  await changes.orderLikes({ ...likes, likes: 30 });
  setStatus({ kind: 'live' });
  await push();
  const [first, second] = await outbox();
  expect(first?.state).toMatchObject({ kind: 'failed', message: 'Too few credits.' });
  expect(await shown('wallet')).toMatchObject({ credits: 500 });
  expect(await changes.retry(first?.id ?? '')).toMatchObject({ kind: 'refused' });
  expect(await outbox()).toHaveLength(2);
  state.answer = accept;
  expect(await changes.retry(first?.id ?? '')).toEqual({ kind: 'done' });
  expect(await changes.discard(second?.id ?? '')).toBe(true);
  expect(await outbox()).toEqual([]);
});

test('sent again, an order is the same order under a new number', async () => {
  const { changes, state, sent, push, outbox } = await openChanges(refuse, {
    kind: 'offline',
    asOf: 0,
  });
  await changes.orderLikes(likes);
  await push();
  state.answer = accept;
  state.status = { kind: 'live' };
  await changes.retry((await outbox())[0]?.id ?? '');
  expect(sent.map(({ mid }) => mid)).toEqual([1, 2]);
  expect(sent[1]?.args).toEqual(sent[0]?.args);
});

test('what the server defers is told at once with its reason, and can be discarded', async () => {
  const { changes, shown, outbox } = await openChanges(deferred);
  expect(await changes.saveDelivery(ada, settings)).toEqual({
    kind: 'queued',
    reason: 'Please try again shortly.',
  });
  expect(await shown('account')).toMatchObject({ delivery: settings });
  const [item] = await outbox();
  await expect.poll(async () => (await outbox())[0]?.state.kind).toBe('queued');
  expect(await changes.discard(item?.id ?? '')).toBe(true);
  expect(await shown('account')).toMatchObject({ delivery: {} });
});

test('what waits never shows less than no credits, and offline an order for too few is refused at once', async () => {
  const { changes, setStatus, push, shown, outbox } = await openChanges(refuse, {
    kind: 'offline',
    asOf: NOW,
  });
  await changes.orderLikes({ ...likes, likes: 450 });
  await push();
  setStatus({ kind: 'offline', asOf: NOW });
  await changes.orderLikes({ ...likes, likes: 400 });
  expect(await shown('wallet')).toMatchObject({ credits: 100 });
  expect(await changes.retry((await outbox())[0]?.id ?? '')).toEqual({
    kind: 'refused',
    code: 'credits_too_low',
    message: 'You have 100 credits. That’s not enough for this order.',
  });
  expect((await outbox()).map(({ state }) => state.kind)).toEqual(['failed', 'queued']);
  await changes.orderLikes({ ...likes, likes: 300 });
  expect(await shown('wallet')).toMatchObject({ credits: 0 });
});

test('a refused order that is queued again shows again what it changes', async () => {
  const { changes, setStatus, push, shown, outbox } = await openChanges(refuse, {
    kind: 'offline',
    asOf: NOW,
  });
  await changes.orderLikes(likes);
  await push();
  expect(await shown('wallet')).toMatchObject({ credits: 500 });
  setStatus({ kind: 'offline', asOf: NOW });
  expect(await changes.retry((await outbox())[0]?.id ?? '')).toEqual({ kind: 'queued' });
  expect(await shown('wallet')).toMatchObject({ credits: 475 });
  expect(await shown('post')).toMatchObject({ totalLikesPurchased: 25 });
});

test('settings saved twice offline are sent once, as they were saved last', async () => {
  const { changes, sent, push, shown } = await openChanges(accept, { kind: 'offline', asOf: NOW });
  await changes.saveDelivery(ada, { ...settings, speed: 'Instant' });
  expect(await changes.saveDelivery(ada, settings)).toEqual({ kind: 'queued' });
  expect(await shown('account')).toMatchObject({ delivery: settings });
  await push();
  expect(sent.map(({ args }) => args)).toEqual([{ igId: '7', settings }]);
});

test('settings saved twice offline say what was seen before the first; sent again after a refusal they replace', async () => {
  const { changes, state, sent, push, outbox } = await openChanges(refuse, {
    kind: 'offline',
    asOf: NOW,
  });
  const [before, between] = [
    { ...settings, speed: '4 Hours' as const },
    { ...settings, speed: 'Instant' as const },
  ];
  await changes.saveDelivery(ada, between, before);
  await changes.saveDelivery(ada, settings, between);
  await push();
  expect(sent.map(({ args }) => args)).toEqual([{ igId: '7', settings, seen: before }]);
  state.answer = accept;
  await changes.retry((await outbox())[0]?.id ?? '');
  await push();
  expect(sent[1]?.args).toEqual({ igId: '7', settings });
});

test('switching accounts keeps the other preferences, and only the last switch is sent', async () => {
  const { changes, sent, push, shown } = await openChanges(accept, { kind: 'offline', asOf: NOW });
  await changes.switchAccount(ada);
  expect(await changes.switchAccount(ada)).toEqual({ kind: 'queued' });
  expect(await shown('user')).toEqual({
    preferences: { density: 'compact', activeAccountId: ACCOUNT },
  });
  await push();
  expect(sent).toMatchObject([{ name: 'switchAccount', args: { accountId: ACCOUNT } }]);
});

test('an account that is not in the replica yet is switched to here only', async () => {
  const { changes, outbox } = await openChanges(accept, { kind: 'offline', asOf: NOW });
  expect(await changes.switchAccount({ igId: '8', igUsername: 'new' })).toEqual({ kind: 'done' });
  expect(await outbox()).toEqual([]);
});

test('a call that waits for its answer is told as soon as the network is gone', async () => {
  const { changes, state, setStatus } = await openChanges(accept, { kind: 'syncing', asOf: NOW });
  const waiting = changes.orderLikes(likes);
  await expect.poll(() => state.serial).toBeGreaterThan(0);
  setStatus({ kind: 'offline', asOf: NOW });
  expect(await waiting).toEqual({ kind: 'queued' });
});

test('everything that waits is sent at once, unless the server is away', async () => {
  const { changes, state, setStatus, outbox } = await openChanges(accept, {
    kind: 'offline',
    asOf: NOW,
  });
  await changes.orderLikes(likes);
  await changes.saveDelivery(ada, settings);
  state.isTimeOver = true;
  expect(await changes.sendAll()).toBe(false);
  expect(await outbox()).toHaveLength(2);
  state.isTimeOver = false;
  setStatus({ kind: 'live' });
  expect(await changes.sendAll()).toBe(true);
  expect(await outbox()).toEqual([]);
});

test('whoever asks to send after a failed attempt gets a new one', async () => {
  const { changes, setStatus, outbox } = await openChanges(accept, { kind: 'offline', asOf: NOW });
  await changes.orderLikes(likes);
  const sending = changes.sendAll();
  setStatus({ kind: 'live' });
  expect(await sending).toBe(true);
  expect(await outbox()).toEqual([]);
});

test('accounts kept for offline are one list: of several changes that wait only the last is sent', async () => {
  const { changes, shown, outbox, push, sent } = await openChanges(accept, {
    kind: 'offline',
    asOf: NOW,
  });
  expect(await changes.pinAccount(ada, true)).toEqual({ kind: 'queued' });
  expect(await shown('user')).toMatchObject({
    preferences: { density: 'compact', pinnedAccountIds: [ACCOUNT] },
  });
  await changes.pinAccount(ada, true);
  expect(await shown('user')).toMatchObject({ preferences: { pinnedAccountIds: [ACCOUNT] } });
  await changes.pinAccount(ada, false);
  expect(await outbox()).toMatchObject([{ title: 'Accounts kept offline' }]);
  await push();
  expect(sent).toMatchObject([{ name: 'setPreferences', args: { pinnedAccountIds: [] } }]);
});

test('whether likes that are done are mailed is shown at once, and only the last word is sent', async () => {
  const { changes, shown, outbox, push, sent } = await openChanges(accept, {
    kind: 'offline',
    asOf: NOW,
  });
  await changes.setLikesDoneMail(true);
  expect(await shown('user')).toMatchObject({
    preferences: { density: 'compact', likesDoneMail: true },
  });
  await changes.setLikesDoneMail(false);
  expect(await outbox()).toMatchObject([{ title: 'Email when likes are done' }]);
  await push();
  expect(sent).toMatchObject([{ name: 'setPreferences', args: { likesDoneMail: false } }]);
});

test('an account that isn’t here can’t be kept for offline, and the switch shown beside it stays', async () => {
  const { changes, shown, outbox } = await openChanges(accept, { kind: 'offline', asOf: NOW });
  expect(await changes.pinAccount({ igId: '8' }, true)).toEqual({ kind: 'done' });
  expect(await outbox()).toEqual([]);
  await changes.switchAccount(ada);
  await changes.pinAccount(ada, true);
  expect(await outbox()).toHaveLength(2);
  expect(await shown('user')).toMatchObject({
    preferences: { activeAccountId: ACCOUNT, pinnedAccountIds: [ACCOUNT] },
  });
});
