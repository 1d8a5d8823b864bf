import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { describeSchema } from '../sync/wire-description.ts';
import { ErrorAnswer } from './answer.ts';
import type { Call } from './call.ts';
import { CALLS } from './calls.ts';
import { ConnectedAccount } from './accounts/connected-account.ts';
import { Team } from './people/team.ts';
import { User } from './people/user.ts';

/** What many calls answer: frozen once, under its name; the calls name it. */
const SHAPES = { User, ConnectedAccount, Team };

/** How each call and shape looked when clients were last given it: the start of a SHA-256 over its frozen form. */
const FROZEN: Readonly<Record<keyof typeof CALLS | keyof typeof SHAPES | 'error', string>> = {
  ConnectedAccount: '9c342f02ab2f18e8',
  Team: '27dae235169022c9',
  User: '4279a5924409bb0e',
  about: '3ba50ce3546cb1e5',
  acceptInvitation: '8204e4e09fc1d16c',
  addAccount: '70ad77b1e9db7be2',
  addLikeOrder: '7683f8ec635d4fce',
  addSubscription: '50f260a0de94b90d',
  addSubscriptionWithSavedCard: '821f27b796fb447d',
  addTicket: '348e06a86b3a3800',
  archiveClient: '0cde4464e9a690ca',
  buyCredits: '56e99a66723cb101',
  buyCreditsWithSavedCard: '3668bed91820b6c5',
  cancelSubscription: 'e59a14ffe4160ff0',
  changeMember: '3fe0f668959d2a12',
  changePassword: '3ba6f6428e05f169',
  changePlan: '3cddf514d01c161c',
  checkActivity: '34404cd43fea0d88',
  closeProposal: 'c3260fe0cfaf5a0f',
  confirmRenewal: '665cd83fa3ad2c7f',
  confirmReports: 'b2596e04b866962f',
  deleteAccount: 'f8d44edf613ca8fb',
  downloadDocument: 'ec04894b4f3c0df4',
  downloadReport: '03cb9305cee7a2cc',
  endSession: '06756bfa2fd9ae67',
  enterCardElsewhere: '8d63fe719c3836aa',
  error: '2e867577bbd35a91',
  exportData: 'c0e3bae7ff891485',
  findActivity: 'c759a197cc8165e0',
  findBudgets: '9e9901ad15ebf8d0',
  findBulk: '7042a6310967c67b',
  findBulkItems: '30ff52e3043c23f6',
  findClients: 'd479c5b14536fda8',
  findConnectedAccounts: 'a747cd4fde88f447',
  findDeliverySettings: 'a1ba9ec8c124cd21',
  findDocuments: '5465d556ca330877',
  findInvitation: '1d29cbb32132323c',
  findLedger: '218b095ca4b29690',
  findLikeOrders: '4c7a353fbee6aba7',
  findMadeItems: '7ce3919a6f03ce3c',
  findMoneyBacks: '4aead35b19c9e427',
  findOwnership: '925fc51d253c42b9',
  findPaymentReturns: 'c2761f5304972ab2',
  findPaymentState: '487f4722fa5f021c',
  findProposals: 'd7442dfbeb2c1de2',
  findPush: '0c54d4d81d27f479',
  findReport: 'cde98568a772d2ac',
  findReportMail: '4bc6b628608f2301',
  findSessions: 'd7818a35a26c52dc',
  findTeam: '68f6bf6369d17f6b',
  findTransactions: '65239017a89ed3d3',
  findUser: '407104b405b22a1c',
  findWaitingPayments: 'aceb68bdceb0c2af',
  getPosts: 'eb7e50ea0e57b13f',
  giveUpPayment: 'cbebda5335d3295a',
  grantClients: 'efbe8cacd7a43acc',
  handOver: 'd8dd63ce1dd60459',
  inviteMember: '23a261ca9577ebb9',
  keepPlan: '965cc9344bb09d3b',
  leaveWorkspace: '090e84ac587eb4fe',
  login: 'bb23080e7c1f797b',
  logout: '77d705bd03b70f93',
  lookUpAccount: 'df7721ff6b381382',
  mergeClients: '43ac065bfa5c873e',
  moneyBack: '9e466de6c38604e1',
  openPromo: '7cdc7695dbb53649',
  pauseSubscription: 'c274f2ee0aec2aac',
  planBulk: '5a9ad9cba0d3626c',
  proposeBulk: '009859b946fa0258',
  proveOwnership: '75601375d6ba8d8c',
  quoteMoneyBack: 'f312e829cd63c911',
  quotePlan: '9dfc9c73d096793b',
  register: '7da94150dc2a098e',
  removeAccount: '50962849f14d3a32',
  removeMember: 'e775fa53eb6ac8d8',
  removePush: '660bdfa538f6f55d',
  replaceBillingInfo: '56ea78aa0f98c2d9',
  resumeSubscription: 'd0b6dda0b90cd2d7',
  reviewBulk: 'e692e66124d4b797',
  saveApproval: 'c287ca6e61b387c4',
  saveBudget: '94805867a6d96b9e',
  saveClient: '86a9d59bc352c35f',
  saveDeliverySettings: '4d7e3ae4e2414a77',
  savePush: '71a6b200727eab72',
  saveReportBrand: '30f6f59cf6168fd2',
  saveReportMail: '4289ede8747c2c27',
  saveTaxId: 'ed4bdcf9d6625229',
  setClient: '6da00257861c3076',
  signUpInvited: '345e527898beeefa',
  startBulk: '699419896994d39a',
  stopSubscription: 'a3324b81ca4dd50e',
  switchWorkspace: '5ef23f778d6ac373',
  tagAccounts: '831ba6b9630b2cc6',
  stopBulk: 'b8b8a7800599e2c3',
  undoBulk: '016a2e1e0c07c8ab',
  unsubscribe: '340bc87aef65d2ee',
  updatePassword: '57a01ee1629877b5',
  updateProfile: '3dae596841acfdc2',
  updateUsername: '56621a36bee2caef',
  verifyOtp: 'c8aef9fbc2dfbb24',
  verifyUserAndSendEmail: '8382631ae06ad9ce',
  withdrawInvitation: '98cfc7dfef6a2330',
};

/** The largest first: it may hold another. */
const SHAPE_TEXTS = Object.entries(SHAPES)
  .map(([name, schema]): [name: string, text: string] => [name, textOf(schema)])
  .toSorted(([, a], [, b]) => b.length - a.length);

function textOf(schema: unknown): string {
  return JSON.stringify(describeSchema(schema));
}

/** A text with the names of shapes in their place; a shape's own has those of the others. */
function withNames(text: string): string {
  return SHAPE_TEXTS.reduce(
    (named, [name, shape]) =>
      shape === text ? named : named.replaceAll(shape, JSON.stringify(`shape ${name}`)),
    text,
  );
}

const hashOf = (text: string): string =>
  createHash('sha256').update(withNames(text)).digest('hex').slice(0, 16);

/** What of a call its clients can tell; not how it is described. */
function frozenForm(call: Call): string {
  const { method, path, encoding, session, input, tokenInput, data, extra = null, errors } = call;
  const parts = {
    input,
    data,
    extra,
    errors: errors.toSorted(),
    ...(tokenInput && { tokenInput }),
  };
  return JSON.stringify([method, path, encoding, session, describeSchema(parts)]);
}

const WHAT_TO_DO = `
Pages that are open and desktop apps of before go on using the calls as they were. What they don't notice
(a field more in the data, an input that may be left out, an error with a sentence of its own): put the
new hash into FROZEN here. Anything else (a field that goes or means something else, an
input that is needed or refused now): leave the call as it is, and make another one with a path of its own.`;

test('the calls are what their clients know', () => {
  const described = Object.entries(CALLS).map(([name, call]) => [name, frozenForm(call)] as const);
  const now = new Map([...described, ...SHAPE_TEXTS, ['error', textOf(ErrorAnswer)] as const]);
  expect([...now.keys()].sort()).toEqual(Object.keys(FROZEN).sort());
  const frozen = new Map(Object.entries(FROZEN));
  const changed = [...now].flatMap(([name, form]) =>
    hashOf(form) === frozen.get(name) ? [] : [`${name}: '${hashOf(form)}',`],
  );
  expect(changed.length === 0 ? '' : [...changed, WHAT_TO_DO].join('\n')).toBe('');
});

test.each<[what: string, changed: Call]>([
  ['a field less in the data', { ...CALLS.findUser, data: CALLS.logout.data }],
  ['a rule of an input', { ...CALLS.findUser, input: CALLS.endSession.input }],
  ['a path', { ...CALLS.findUser, path: '/user/user/find' }],
  ['an encoding', { ...CALLS.findUser, encoding: 'form' }],
  ['who may call', { ...CALLS.findUser, session: 'none' }],
  ['a field beside the data', { ...CALLS.findUser, extra: CALLS.findUser.input }],
  ['an error', { ...CALLS.findUser, errors: [] }],
])('a planted change of %s is noticed', (_what, changed) => {
  expect(hashOf(frozenForm(changed))).not.toBe(hashOf(frozenForm(CALLS.findUser)));
});

test('a shared shape is frozen once: what changes in it changes no call, and a call without it does', () => {
  const { User: user, ConnectedAccount: account } = SHAPES;
  const names = (call: Call): string => withNames(frozenForm(call));
  expect(names(CALLS.findUser)).toContain('"shape User"');
  expect(names(CALLS.findUser)).not.toContain('connectedAccounts');
  expect(withNames(textOf(user))).toContain('"shape ConnectedAccount"');
  const less = v.object({ ...user.entries, phone: v.number() });
  expect(hashOf(textOf(less))).not.toBe(hashOf(textOf(user)));
  expect(names({ ...CALLS.findUser, data: less })).not.toContain('shape User');
  expect(withNames(textOf(account))).toContain('igUsername');
});

test('another sentence changes nothing', () => {
  const said = { ...CALLS.findUser, summary: 'Who is logged in.' };
  expect(frozenForm(said)).toEqual(frozenForm(CALLS.findUser));
});
