import { archiveClient, findClients, mergeClients, saveClient, setClient } from './clients.ts';
import { about } from './about.ts';
import { checkActivity, findActivity } from './activity.ts';
import {
  addAccount,
  findDeliverySettings,
  findOwnership,
  lookUpAccount,
  proveOwnership,
  removeAccount,
  saveDeliverySettings,
  tagAccounts,
  updateUsername,
} from './account-changes.ts';
import { findBudgets, saveBudget } from './budget.ts';
import { findBulk, findBulkItems, planBulk, startBulk, undoBulk } from './bulk.ts';
import { addSubscription, addSubscriptionWithSavedCard } from './checkout.ts';
import { findConnectedAccounts } from './connected-account.ts';
import {
  addLikeOrder,
  buyCredits,
  buyCreditsWithSavedCard,
  findLedger,
  findTransactions,
} from './credits.ts';
import { downloadDocument, findDocuments } from './documents.ts';
import { findPaymentReturns, findMoneyBacks } from './returned-money.ts';
import { findLikeOrders } from './like-order.ts';
import {
  deleteAccount,
  endSession,
  exportData,
  findSessions,
  updatePassword,
  updateProfile,
} from './own-account.ts';
import {
  confirmRenewal,
  enterCardElsewhere,
  findPaymentState,
  findWaitingPayments,
  giveUpPayment,
} from './payment.ts';
import { getPosts } from './post.ts';
import { findPush, removePush, savePush } from './push.ts';
import { changePassword, verifyOtp, verifyUserAndSendEmail } from './recovery.ts';
import { downloadReport, findReport } from './report.ts';
import {
  cancelSubscription,
  changePlan,
  keepPlan,
  moneyBack,
  pauseSubscription,
  quoteMoneyBack,
  quotePlan,
  replaceBillingInfo,
  resumeSubscription,
  stopSubscription,
} from './subscription.ts';
import {
  acceptInvitation,
  changeMember,
  findInvitation,
  findTeam,
  grantClients,
  handOver,
  inviteMember,
  leaveWorkspace,
  removeMember,
  signUpInvited,
  switchWorkspace,
  withdrawInvitation,
} from './team.ts';
import { saveTaxId } from './tax-id.ts';
import { findUser, login, logout, register } from './user.ts';
import { addTicket, openPromo } from './visitor.ts';

/** Every call of the API: the API page, the contract tests and the access tests walk this list. */
export const CALLS = {
  about,
  login,
  register,
  logout,
  findUser,
  verifyUserAndSendEmail,
  verifyOtp,
  changePassword,
  updateProfile,
  updatePassword,
  findSessions,
  endSession,
  findPush,
  savePush,
  removePush,
  exportData,
  deleteAccount,
  addTicket,
  findConnectedAccounts,
  lookUpAccount,
  addAccount,
  removeAccount,
  findOwnership,
  proveOwnership,
  updateUsername,
  tagAccounts,
  findDeliverySettings,
  saveDeliverySettings,
  addSubscription,
  addSubscriptionWithSavedCard,
  quoteMoneyBack,
  quotePlan,
  changePlan,
  keepPlan,
  pauseSubscription,
  resumeSubscription,
  cancelSubscription,
  stopSubscription,
  moneyBack,
  findMoneyBacks,
  planBulk,
  startBulk,
  findBulk,
  findBulkItems,
  undoBulk,
  findActivity,
  checkActivity,
  replaceBillingInfo,
  findPaymentState,
  findWaitingPayments,
  giveUpPayment,
  confirmRenewal,
  enterCardElsewhere,
  getPosts,
  findLikeOrders,
  addLikeOrder,
  buyCredits,
  buyCreditsWithSavedCard,
  findTransactions,
  findPaymentReturns,
  findLedger,
  findDocuments,
  downloadDocument,
  findBudgets,
  saveBudget,
  saveTaxId,
  openPromo,
  findTeam,
  inviteMember,
  withdrawInvitation,
  changeMember,
  removeMember,
  handOver,
  findClients,
  saveClient,
  mergeClients,
  archiveClient,
  setClient,
  grantClients,
  findReport,
  downloadReport,
  leaveWorkspace,
  switchWorkspace,
  findInvitation,
  acceptInvitation,
  signUpInvited,
} as const;
