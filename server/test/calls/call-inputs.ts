import type { AskedChange } from '#shared/contract/accounts/bulk.ts';
import { BROWSER_KEYS } from '#server/adapters/push/push-sender.conformance.ts';
import { CARD_FORM } from '../money/card-form.ts';
import { PASSWORD } from '../people/customers.ts';

/** Whose things a call is asked for. */
export interface Asked {
  userId: string;
  igUsername: string;
  igId: string;
  sessionId: string;
}

/** One change of many accounts of each kind that can be asked for. */
export const BULK_CHANGES: { readonly [Kind in AskedChange['kind']]: AskedChange } = {
  plan: { kind: 'plan', packageIndex: 2 },
  keepPlan: { kind: 'keepPlan' },
  tags: { kind: 'tags', add: ['mine'], remove: [] },
  pause: { kind: 'pause', until: '2026-12-01T00:00:00.000Z' },
  resume: { kind: 'resume' },
  cancel: { kind: 'cancel' },
  delivery: { kind: 'delivery', settings: { automaticLikes: true } },
  client: { kind: 'client', clientId: null },
  add: { kind: 'add' },
};

const NOBODYS_ID = '01890000-0000-7000-8000-000000000001';

/**
 * For every call that needs a session: an input about somebody's things that passes the contract. A new call without
 * one fails where the access of all is tried, so that nobody forgets to say what another customer may not reach.
 */
const INPUTS: Record<string, (of: Asked) => Record<string, unknown>> = {
  findUser: (of) => ({ userId: of.userId }),
  findConnectedAccounts: (of) => ({ userId: of.userId }),
  updateProfile: (of) => ({
    userId: of.userId,
    name: 'Eve was here',
    phone: '5550100200',
    timeZone: 'UTC',
  }),
  updatePassword: (of) => ({
    userId: of.userId,
    currentPassword: PASSWORD,
    password: 'chosen by a stranger',
  }),
  findSessions: (of) => ({ userId: of.userId }),
  endSession: (of) => ({ userId: of.userId, sessionId: of.sessionId }),
  findPush: (of) => ({ userId: of.userId }),
  savePush: (of) => ({ userId: of.userId, endpoint: 'https://push.example/1', ...BROWSER_KEYS }),
  removePush: (of) => ({ userId: of.userId }),
  exportData: (of) => ({ userId: of.userId }),
  deleteAccount: (of) => ({ userId: of.userId, password: PASSWORD }),
  lookUpAccount: (of) => ({ userId: of.userId, igUsername: of.igUsername }),
  addAccount: (of) => ({ userId: of.userId, igUsername: of.igUsername }),
  removeAccount: (of) => ({ userId: of.userId, igUsername: of.igUsername }),
  findOwnership: (of) => ({ userId: of.userId, igUsername: of.igUsername }),
  proveOwnership: (of) => ({ userId: of.userId, igUsername: of.igUsername }),
  updateUsername: (of) => ({ userId: of.userId, oldIgUsername: of.igUsername, igUsername: 'eve' }),
  tagAccounts: (of) => ({
    userId: of.userId,
    igUsernames: [of.igUsername],
    add: ['mine'],
    remove: [],
  }),
  findDeliverySettings: (of) => ({ userId: of.userId, igId: of.igId }),
  saveDeliverySettings: (of) => ({
    userId: of.userId,
    igId: of.igId,
    settings: { automaticLikes: true, speed: 'Instant', range: null },
  }),
  getPosts: (of) => ({ igId: of.igId }),
  findLikeOrders: (of) => ({ igId: of.igId }),
  findTransactions: (of) => ({ userId: of.userId }),
  findLedger: (of) => ({ userId: of.userId }),
  findDocuments: (of) => ({ userId: of.userId }),
  downloadDocument: (of) => ({ userId: of.userId, documentId: of.userId }),
  findReport: (of) => ({ userId: of.userId, month: '2026-10' }),
  downloadReport: (of) => ({ userId: of.userId, month: '2026-10' }),
  findReportMail: (of) => ({ userId: of.userId, clientId: null }),
  saveReportMail: (of) => ({
    userId: of.userId,
    clientId: null,
    addresses: [],
    memberIds: [of.userId],
  }),
  saveReportBrand: (of) => ({ userId: of.userId, clientId: null, name: 'Eve’s agency' }),
  findBudgets: (of) => ({ userId: of.userId, igUsername: of.igUsername }),
  saveBudget: (of) => ({ userId: of.userId, igUsername: of.igUsername, limit: 1000 }),
  saveTaxId: (of) => ({ userId: of.userId, taxId: 'DE123456789' }),
  addLikeOrder: (of) => ({
    userId: of.userId,
    igUsername: of.igUsername,
    postId: '101',
    shortCode: 'C101',
    likes: 20,
  }),
  buyCredits: (of) => ({ userId: of.userId, credits: 2500, amount: 10, ...CARD_FORM }),
  buyCreditsWithSavedCard: (of) => ({
    userId: of.userId,
    credits: 2500,
    amount: 10,
    savedCard: '242',
  }),
  addSubscriptionWithSavedCard: (of) => ({
    userId: of.userId,
    igUsername: of.igUsername,
    packageIndex: 1,
    savedCard: '242',
  }),
  addSubscription: (of) => ({
    userId: of.userId,
    igUsername: of.igUsername,
    packageIndex: 1,
    ...CARD_FORM,
  }),
  quoteMoneyBack: (of) => ({ userId: of.userId, igUsername: of.igUsername }),
  quotePlan: (of) => ({ userId: of.userId, igUsername: of.igUsername, packageIndex: 2 }),
  changePlan: (of) => ({ userId: of.userId, quoteId: NOBODYS_ID }),
  keepPlan: (of) => ({ userId: of.userId, igUsername: of.igUsername }),
  pauseSubscription: (of) => ({
    userId: of.userId,
    igUsername: of.igUsername,
    until: '2026-12-01T00:00:00.000Z',
  }),
  resumeSubscription: (of) => ({ userId: of.userId, igUsername: of.igUsername }),
  cancelSubscription: (of) => ({ userId: of.userId, igUsername: of.igUsername }),
  stopSubscription: (of) => ({ userId: of.userId, igUsername: of.igUsername }),
  moneyBack: (of) => ({ userId: of.userId, igUsername: of.igUsername }),
  findMoneyBacks: (of) => ({ userId: of.userId }),
  planBulk: (of) => ({
    userId: of.userId,
    operationId: NOBODYS_ID,
    from: 0,
    changes: [{ igUsername: of.igUsername, change: { kind: 'cancel' } }],
  }),
  startBulk: (of) => ({ userId: of.userId, operationId: NOBODYS_ID, planned: 1, today: 0 }),
  findBulk: (of) => ({ userId: of.userId }),
  findMadeItems: (of) => ({ userId: of.userId, operationId: NOBODYS_ID }),
  findBulkItems: (of) => ({ userId: of.userId, operationId: NOBODYS_ID }),
  proposeBulk: (of) => ({ userId: of.userId, operationId: NOBODYS_ID, planned: 1, today: 0 }),
  findProposals: (of) => ({ userId: of.userId }),
  reviewBulk: (of) => ({
    userId: of.userId,
    operationId: NOBODYS_ID,
    proposalId: NOBODYS_ID,
    from: 0,
  }),
  closeProposal: (of) => ({ userId: of.userId, operationId: NOBODYS_ID }),
  stopBulk: (of) => ({ userId: of.userId, operationId: NOBODYS_ID }),
  undoBulk: (of) => ({ userId: of.userId, operationId: NOBODYS_ID }),
  findActivity: (of) => ({ userId: of.userId, igUsername: of.igUsername }),
  checkActivity: (of) => ({ userId: of.userId }),
  findPaymentReturns: (of) => ({ userId: of.userId }),
  replaceBillingInfo: (of) => ({ userId: of.userId, ...CARD_FORM }),
  findPaymentState: (of) => ({ userId: of.userId, paymentId: NOBODYS_ID }),
  findWaitingPayments: (of) => ({ userId: of.userId }),
  giveUpPayment: (of) => ({ userId: of.userId, paymentId: NOBODYS_ID }),
  confirmRenewal: (of) => ({ userId: of.userId, accountId: NOBODYS_ID }),
  enterCardElsewhere: (of) => ({ userId: of.userId }),
  findTeam: (of) => ({ userId: of.userId }),
  inviteMember: (of) => ({ userId: of.userId, email: 'x@example.test', role: 'Viewer' }),
  withdrawInvitation: (of) => ({ userId: of.userId, invitationId: of.userId }),
  saveApproval: (of) => ({ userId: of.userId, approvalAbove: null }),
  changeMember: (of) => ({ userId: of.userId, memberId: of.userId, role: 'Viewer' }),
  removeMember: (of) => ({ userId: of.userId, memberId: of.userId }),
  handOver: (of) => ({ userId: of.userId, memberId: of.userId, password: PASSWORD }),
  findClients: (of) => ({ userId: of.userId }),
  saveClient: (of) => ({ userId: of.userId, name: 'Eve' }),
  mergeClients: (of) => ({ userId: of.userId, clientId: of.userId, intoId: of.sessionId }),
  archiveClient: (of) => ({ userId: of.userId, clientId: of.userId, isArchived: true }),
  setClient: (of) => ({ userId: of.userId, igUsernames: [of.igUsername], clientId: null }),
  grantClients: (of) => ({ userId: of.userId, memberId: of.userId, allClients: false, grants: [] }),
  leaveWorkspace: (of) => ({ userId: of.userId }),
  switchWorkspace: (of) => ({ userId: of.userId, workspaceId: of.userId }),
  acceptInvitation: (of) => ({ userId: of.userId, token: 'A'.repeat(43) }),
};

/** An input of a call that passes the contract. */
export function inputOf(name: string, of: Asked): Record<string, unknown> {
  const make = INPUTS[name];
  if (!make) throw new Error(`Say in INPUTS what ${name} is asked for`);
  return make(of);
}

/** Whether its input does; a call that names none asks the same whosever account it is about. */
export function namesAccount(name: string): boolean {
  const [one, other] = ['1', '2'].map((own) =>
    JSON.stringify(inputOf(name, { userId: '', sessionId: '', igUsername: own, igId: own })),
  );
  return one !== other;
}
