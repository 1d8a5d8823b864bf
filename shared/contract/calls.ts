import { about } from './about.ts';
import {
  addAccount,
  findDeliverySettings,
  findOwnership,
  lookUpAccount,
  proveOwnership,
  removeAccount,
  saveDeliverySettings,
  updateUsername,
} from './account-changes.ts';
import { addSubscription, addSubscriptionWithSavedCard } from './checkout.ts';
import { findConnectedAccounts } from './connected-account.ts';
import {
  addLikeOrder,
  buyCredits,
  buyCreditsWithSavedCard,
  findLedger,
  findTransactions,
  findPaymentReturns,
} from './credits.ts';
import { findLikeOrders } from './like-order.ts';
import {
  deleteAccount,
  endSession,
  exportData,
  findSessions,
  updatePassword,
  updateProfile,
} from './own-account.ts';
import { getPosts } from './post.ts';
import { findPush, removePush, savePush } from './push.ts';
import { changePassword, verifyOtp, verifyUserAndSendEmail } from './recovery.ts';
import {
  cancelSubscription,
  changePlan,
  keepPlan,
  moneyBack,
  findMoneyBacks,
  pauseSubscription,
  quoteMoneyBack,
  quotePlan,
  replaceBillingInfo,
  resumeSubscription,
  stopSubscription,
} from './subscription.ts';
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
  replaceBillingInfo,
  getPosts,
  findLikeOrders,
  addLikeOrder,
  buyCredits,
  buyCreditsWithSavedCard,
  findTransactions,
  findPaymentReturns,
  findLedger,
  openPromo,
} as const;
