import type { Kysely, Transaction } from 'kysely';
import type { ConstructorOptions } from 'pg-boss';
import type { AccountTable, AccountWatchTable } from '../features/accounts/account.table.ts';
import type {
  AuditEventTable,
  AuditHeadTable,
  AuditNoticeTable,
} from '../features/audit/audit.table.ts';
import type { CardDetachmentTable } from '../features/billing/card-detachment.table.ts';
import type { CustomerRequestTable } from '../features/billing/customer-request.table.ts';
import type {
  CardTable,
  DisputeTable,
  GatewayReadingTable,
  ChargeTable,
  CreditsTransactionTable,
  GatewayCustomerTable,
  InvoiceTable,
} from '../features/billing/charge.table.ts';
import type { RefundTable } from '../features/billing/refund.table.ts';
import type {
  NetworkSubscriptionTable,
  PastPlanTable,
  SubscriptionTable,
} from '../features/billing/subscription.table.ts';
import type {
  CreditBalanceTable,
  LedgerEntryTable,
  LedgerTransactionTable,
  LedgerWordsTable,
} from '../features/credits/ledger.table.ts';
import type {
  GraphBucketTable,
  RememberedProfileTable,
} from '../features/detection/graph-bucket.table.ts';
import type {
  NetworkOwnerTable,
  OwnershipProofTable,
} from '../features/ownership/ownership.table.ts';
import type { OutboxTable } from '../features/mail/outbox.table.ts';
import type { LikeOrderTable, OrderEventTable } from '../features/orders/like-order.table.ts';
import type { PostTable } from '../features/posts/post.table.ts';
import type { PromoGrantTable } from '../features/promo/promo-grant.table.ts';
import type { RecoveryTable } from '../features/recovery/recovery.table.ts';
import type {
  MoneyBackAccountTable,
  MoneyBackCardTable,
  MoneyBackTable,
  PlanQuoteTable,
} from '../features/subscriptions/subscription-work.table.ts';
import type {
  ClientOrderTable,
  SyncClientTable,
  SyncEpochTable,
  SyncHeadTable,
  SyncMutationTable,
  SyncRowTable,
} from '../features/sync/sync.table.ts';
import type { UserPreferenceTable } from '../features/users/user-preference.table.ts';
import type { PushSubscriptionTable } from '../features/push/push-subscription.table.ts';
import type { KnownBrowserTable } from '../features/users/known-browser.table.ts';
import type { DeletedSessionTable, SessionTable } from '../features/users/session.table.ts';
import type {
  EmailDirectoryTable,
  UserTable,
  WorkspaceTable,
} from '../features/users/user.table.ts';
import type { RateLimitTable } from '../http/rate-limit.table.ts';
import type { SubmitTable } from '../http/submit.table.ts';
import type { Changes } from './changes.ts';

/** Every table of the product. */
export interface Tables {
  workspace: WorkspaceTable;
  app_user: UserTable;
  email_directory: EmailDirectoryTable;
  session: SessionTable;
  deleted_session: DeletedSessionTable;
  push_subscription: PushSubscriptionTable;
  known_browser: KnownBrowserTable;
  recovery: RecoveryTable;
  account: AccountTable;
  account_watch: AccountWatchTable;
  post: PostTable;
  subscription: SubscriptionTable;
  past_plan: PastPlanTable;
  network_subscription: NetworkSubscriptionTable;
  like_order: LikeOrderTable;
  order_event: OrderEventTable;
  gateway_customer: GatewayCustomerTable;
  card: CardTable;
  card_detachment: CardDetachmentTable;
  customer_request: CustomerRequestTable;
  invoice: InvoiceTable;
  charge: ChargeTable;
  credits_transaction: CreditsTransactionTable;
  refund: RefundTable;
  plan_quote: PlanQuoteTable;
  money_back: MoneyBackTable;
  money_back_account: MoneyBackAccountTable;
  money_back_card: MoneyBackCardTable;
  dispute: DisputeTable;
  gateway_reading: GatewayReadingTable;
  credit_balance: CreditBalanceTable;
  ledger_transaction: LedgerTransactionTable;
  ledger_entry: LedgerEntryTable;
  ledger_words: LedgerWordsTable;
  submit: SubmitTable;
  rate_limit: RateLimitTable;
  promo_grant: PromoGrantTable;
  outbox: OutboxTable;
  audit_event: AuditEventTable;
  audit_head: AuditHeadTable;
  audit_notice: AuditNoticeTable;
  graph_bucket: GraphBucketTable;
  remembered_profile: RememberedProfileTable;
  ownership_proof: OwnershipProofTable;
  network_owner: NetworkOwnerTable;
  sync_epoch: SyncEpochTable;
  sync_head: SyncHeadTable;
  sync_row: SyncRowTable;
  sync_client: SyncClientTable;
  sync_mutation: SyncMutationTable;
  client_order: ClientOrderTable;
  user_preference: UserPreferenceTable;
}

/** Runs queries; a transaction is one too. */
export type Db = Kysely<Tables>;
/** Demanded by whatever must not run outside a transaction. */
export type Tx = Transaction<Tables>;

/** Registers an effect outside the database; it runs once the transaction has been committed. */
export type AfterCommit = (effect: () => void) => void;

/** A connection of the queue's own, or the one connection there is. */
export type QueueStore = Pick<ConstructorOptions, 'db' | 'backend' | 'connectionString' | 'max'>;

export interface Database {
  readonly engine: 'pglite' | 'postgres';
  /** For single statements. Never call its `transaction()`: use the one below. */
  readonly db: Db;
  /**
   * Runs `work` in one READ COMMITTED transaction, again (at most 3 times) after a deadlock.
   * Throws when called inside another transaction: hand the `tx` down instead. What it changed is
   * written to the log of the local copies as its last statement, so nothing may be locked after `work`.
   */
  transaction<T>(work: (tx: Tx, afterCommit: AfterCommit) => Promise<T>): Promise<T>;
  /** Which scopes of the local copies were touched, told after the commit. */
  readonly changes: Changes;
  /** How the job queue reaches the tables of its own in this database (schema `pgboss`). */
  readonly queueStore: QueueStore;
  close(): Promise<void>;
}
