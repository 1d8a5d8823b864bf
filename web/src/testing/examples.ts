import type { BulkOperation } from '#shared/contract/accounts/bulk.ts';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import type { LikeOrder } from '#shared/contract/accounts/like-order.ts';
import type { Post } from '#shared/contract/accounts/post.ts';
import type { User } from '#shared/contract/people/user.ts';

/** Valid wire objects for tests; a test states only what it is about. */
export function accountExample(changes: Partial<ConnectedAccount> = {}): ConnectedAccount {
  return {
    igUsername: 'ada.paints',
    igId: '17841400000000001',
    profilePic: '/proxy/ada',
    accountPackageId: 1,
    accountPackageSubsriptionDate: '2026-11-21T09:00:00.000Z',
    nextBillingDate: '2026-12-21T09:00:00.000Z',
    nextPackageId: null,
    nextPackageFrom: null,
    subscriptionState: 'Active',
    problem: null,
    followers: 1200,
    lastReadAt: '2026-11-21T09:30:00.000Z',
    endsAt: null,
    pausesAt: null,
    resumesAt: null,
    postsWaitSince: null,
    timeZone: 'UTC',
    moneyBackUntil: '2026-12-21T09:00:00.000Z',
    moneyBackAmount: 12,
    moneyBackState: null,
    shiftDays: 0,
    shiftReason: null,
    delivery: { automaticLikes: true, speed: 'Instant', range: null },
    tags: [],
    ...changes,
  };
}

/** An account whose plan was never paid. */
export function unpaidAccount(changes: Partial<ConnectedAccount> = {}): ConnectedAccount {
  return accountExample({
    accountPackageId: null,
    accountPackageSubsriptionDate: null,
    nextBillingDate: null,
    subscriptionState: null,
    moneyBackUntil: null,
    moneyBackAmount: null,
    ...changes,
  });
}

const USER_ID = '0192d3c0-0000-7000-8000-000000000001';

/** As the server answers; a planted replica is at version 1, so it has yet to hear of it. */
export function userExample(changes: Partial<User> = {}): User {
  return {
    id: USER_ID,
    name: 'Ada',
    email: 'ada@example.com',
    phone: '5550100200',
    timeZone: 'Europe/Berlin',
    createdAt: '2026-11-21T08:55:00.000Z',
    credits: 500,
    canSpendCredits: true,
    inSubscription: true,
    defaultIgUsername: 'ada.paints',
    defaultIgId: '17841400000000001',
    profilePic: '/proxy/ada',
    package: 1,
    connectedAccounts: [accountExample()],
    billingInfo: null,
    creditsTransactions: [],
    isDemoData: false,
    versions: { [`w:${USER_ID}`]: 2, [`b:${USER_ID}`]: 2, [`u:${USER_ID}`]: 2 },
    ...changes,
  };
}

export function postExample(changes: Partial<Post> = {}): Post {
  return {
    id: '18000000000000001',
    igId: '17841400000000001',
    shortcode: 'Cabc',
    display_url: '/proxy/picture',
    edge_media_preview_like: { count: 30 },
    edge_media_to_comment: { count: 2 },
    totalLikesPurchased: 0,
    automaticLikes: 20,
    deliveredLikes: 20,
    organicLikes: 10,
    mediaType: 'IMAGE',
    caption: 'A morning at the harbour',
    permalink: 'http://127.0.0.1/p/Cabc',
    takenAt: '2026-11-21T09:10:00.000Z',
    detectedAt: '2026-11-21T09:10:12.000Z',
    deletedAt: null,
    automaticOutcome: 'ordered',
    order: {
      id: '0192d3c0-0000-7000-8000-0000000000aa',
      state: 'In progress',
      target: 50,
      bonus: 0,
      delivered: 20,
    },
    ...changes,
  };
}

export function orderExample(changes: Partial<LikeOrder> = {}): LikeOrder {
  return {
    id: '0192d3c0-0000-7000-8000-0000000000aa',
    kind: 'automatic',
    igId: '17841400000000001',
    igUsername: 'ada.paints',
    postId: '18000000000000001',
    creditsReturned: null,
    shortcode: 'Cabc',
    state: 'In progress',
    reason: null,
    speed: 'Instant',
    startCount: 10,
    ordered: 50,
    bonus: 0,
    delivered: 20,
    remains: 30,
    views: 0,
    viewsDelivered: 0,
    postedAt: '2026-11-21T09:10:00.000Z',
    detectedAt: '2026-11-21T09:10:12.000Z',
    startedAt: '2026-11-21T09:10:14.000Z',
    finishedAt: null,
    finishBy: '2026-11-21T09:10:44.000Z',
    ...changes,
  };
}

/** A change of three plans that is over, of which one failed. */
export function operationExample(changes: Partial<BulkOperation> = {}): BulkOperation {
  return {
    operationId: '0192d3c0-0000-7000-8000-0000000000b1',
    state: 'done',
    isUndo: false,
    by: 'Ada Lovelace',
    kinds: ['plan'],
    waiting: 0,
    done: 2,
    failed: 1,
    today: 0,
    month: 0,
    startedAt: '2026-11-28T00:50:00.000Z',
    endedAt: null,
    undoable: 0,
    undoUntil: null,
    ...changes,
  };
}
