import { addSubscription } from './checkout.ts';
import { findConnectedAccounts } from './connected-account.ts';
import { findLikeOrders } from './like-order.ts';
import { getPosts } from './post.ts';
import { findUser, login, logout, register } from './user.ts';

/** Every call of the API: the API page, the contract tests and the access tests walk this list. */
export const CALLS = {
  login,
  register,
  logout,
  findUser,
  findConnectedAccounts,
  addSubscription,
  getPosts,
  findLikeOrders,
} as const;
