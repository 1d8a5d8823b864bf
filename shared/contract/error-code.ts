/** Every error the API can answer, with its HTTP status. One list; the error body carries the code. */
export const ERROR_STATUS = {
  invalid_input: 400,
  malformed_body: 400,
  wrong_code: 400,
  card_invalid: 400,
  /** Cards are entered in the gateway's own fields: a number doesn't belong here. */
  card_not_taken: 400,
  amount_mismatch: 400,
  /** Nobody is signed in here. */
  no_session: 401,
  /** The session has run out: log in again, what is kept stays. */
  session_expired: 401,
  /** It was ended from elsewhere: the device keeps nothing but changes that were never sent. */
  session_ended: 401,
  wrong_credentials: 401,
  card_declined: 402,
  insufficient_funds: 402,
  /** A payment with the card is disputed, or was: it buys nothing here. */
  card_disputed: 402,
  /** The customer's bank asks them to confirm: `action` says where. Nothing is charged before. */
  payment_needs_action: 402,
  /** The bank asked, and wasn't told yes: refused, given up, or not in time. */
  payment_not_confirmed: 402,
  not_yours: 403,
  /** Their role in the workspace doesn't let them. */
  not_allowed: 403,
  /** An invitation for somebody else's address. */
  other_address: 403,
  /** A manager has spent what the owner lets them in this month. */
  spend_limit: 403,
  /** It would cost more than the workspace's budget of this month, or the account's. */
  budget_reached: 403,
  /** Changes of many accounts cost more than their person may decide alone. */
  needs_approval: 403,
  foreign_origin: 403,
  bad_signature: 403,
  not_found: 404,
  account_unreadable: 404,
  /** The address is there; `Allow` names the method that works. */
  method_not_allowed: 405,
  email_taken: 409,
  username_changed_recently: 409,
  already_member: 409,
  /** As many people, or open invitations, as a workspace can have. */
  team_full: 409,
  /** A workspace has an owner; with others in it, one of them has to be it first. */
  last_owner: 409,
  /** As many as a customer can connect. */
  too_many_accounts: 409,
  /** More tags than an account, or a customer, can have. */
  too_many_tags: 409,
  /** A client of that name is there. */
  client_exists: 409,
  /** A client who was put away: nothing new comes to them. */
  client_archived: 409,
  /** As many as a workspace can have. */
  too_many_clients: 409,
  /** A view of that name is there. */
  view_exists: 409,
  /** As many as a person, or a workspace, can have. */
  too_many_views: 409,
  credits_too_low: 409,
  account_already_subscribed: 409,
  idempotency_conflict: 409,
  price_changed: 409,
  money_back_over: 409,
  /** Until the bank has decided, no money goes back. */
  payment_disputed: 409,
  subscription_state: 409,
  /** Somebody else changed it after whoever asks had looked at it. */
  overtaken: 409,
  /** Many accounts are being changed already. */
  bulk_running: 409,
  /** As many changes of many accounts wait for approval as a workspace can have. */
  proposals_full: 409,
  /** An account that has a plan, a payment or likes under way, or is the only one, stays. */
  account_in_use: 409,
  /** Sync: a mutation is missing between the last one executed and the first one sent. */
  mutation_gap: 409,
  /** Sync: a snapshot can't be resumed; begin this scope again. */
  snapshot_gone: 410,
  /** An invitation that was used, withdrawn or has run out, or never was. */
  invitation_over: 410,
  body_too_large: 413,
  wrong_content_type: 415,
  /** Sync: this client speaks a version that isn't served any more. */
  upgrade_needed: 426,
  rate_limited: 429,
  internal: 500,
  network_throttled: 503,
  network_unreachable: 503,
  payment_unknown: 503,
  payment_unavailable: 503,
  overloaded: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;
export const ERROR_CODES = Object.keys(ERROR_STATUS) as ErrorCode[];

/** A field of `session_ended` when its person isn't a member any more: the device keeps nothing at all. */
export const MEMBERSHIP_ENDED = 'membership';

/** What is answered to whoever asks without a session that can be used. */
export const NO_SESSION_CODES = [
  'no_session',
  'session_expired',
  'session_ended',
] as const satisfies readonly ErrorCode[];
