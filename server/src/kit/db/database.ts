import type { Kysely, Transaction } from 'kysely';
import type { ConstructorOptions } from 'pg-boss';
import type { AccountTable, PollScheduleTable } from './tables/account.table.ts';
import type { AuditEventTable, AuditHeadTable, AuditNoticeTable } from './tables/audit.table.ts';
import type { AccountViewTable } from './tables/account-view.table.ts';
import type { AlertChoiceTable } from './tables/alert-choice.table.ts';
import type { BulkItemTable, BulkOperationTable } from './tables/bulk.table.ts';
import type {
  CardDetachmentTable,
  CardSetupTable,
  CardTable,
  ChargeTable,
  CreditsTransactionTable,
  DisputeTable,
  GatewayCustomerTable,
  GatewayReadingTable,
  InvoiceTable,
} from './tables/charge.table.ts';
import type { CustomerRequestTable } from './tables/customer-request.table.ts';
import type {
  BillingDocumentTable,
  CustomerTaxIdTable,
  InvoiceSeriesTable,
} from './tables/billing-document.table.ts';
import type { PolicyReportTable } from './tables/policy-report.table.ts';
import type { RefundTable } from './tables/refund.table.ts';
import type {
  LatePaymentGraceTable,
  NetworkSubscriptionTable,
  PastPlanTable,
  SubscriptionTable,
  UnpaidAdvanceTable,
} from './tables/subscription.table.ts';
import type {
  CreditBalanceTable,
  LedgerEntryTable,
  LedgerTransactionTable,
  LedgerWordsTable,
  PromoGrantTable,
} from './tables/ledger.table.ts';
import type { GraphBucketTable, RememberedProfileTable } from './tables/graph-bucket.table.ts';
import type { NetworkOwnerTable, OwnershipProofTable } from './tables/ownership.table.ts';
import type { OwedMailTable } from './tables/owed-mail.table.ts';
import type {
  AutomaticSlotTable,
  LikeOrderTable,
  OrderEventTable,
} from './tables/like-order.table.ts';
import type { PostTable } from './tables/post.table.ts';
import type {
  RecoveryTable,
  DeletedSessionTable,
  KnownBrowserTable,
  PushSubscriptionTable,
  SessionTable,
  RateLimitTable,
} from './tables/session.table.ts';
import type {
  PlanQuoteTable,
  RefundRequestAccountTable,
  RefundRequestCardTable,
  RefundRequestTable,
} from './tables/subscription-work.table.ts';
import type {
  ClientOrderTable,
  SyncClientTable,
  SyncEpochTable,
  SyncHeadTable,
  SyncMutationTable,
  SyncRowTable,
} from './tables/sync.table.ts';
import type { UserPreferenceTable } from './tables/user-preference.table.ts';
import type { EmailDirectoryTable, UserTable, WorkspaceTable } from './tables/user.table.ts';
import type {
  ClientGrantTable,
  ClientTable,
  InvitationTable,
  MemberChargeTable,
  MemberRaiseTable,
  MembershipTable,
} from './tables/membership.table.ts';
import type {
  ReportAddressTable,
  ReportBrandTable,
  ReportMailTable,
  SentReportTable,
} from './tables/report.table.ts';
import type { BudgetNoticeTable, BudgetTable } from './tables/budget.table.ts';
import type { AttemptTable } from './tables/attempt.table.ts';
import type {
  ServiceClockTable,
  ServiceOutageTable,
  SubscriptionDayTable,
  SubscriptionIntervalTable,
  SubscriptionPauseTable,
} from './tables/service-credit.table.ts';
import type { Changes } from './changes.ts';

/** Every table of the product. */
export interface Tables {
  workspace: WorkspaceTable;
  app_user: UserTable;
  email_directory: EmailDirectoryTable;
  membership: MembershipTable;
  invitation: InvitationTable;
  member_charge: MemberChargeTable;
  member_raise: MemberRaiseTable;
  budget: BudgetTable;
  budget_notice: BudgetNoticeTable;
  report_brand: ReportBrandTable;
  report_address: ReportAddressTable;
  report_mail: ReportMailTable;
  sent_report: SentReportTable;
  client: ClientTable;
  client_grant: ClientGrantTable;
  session: SessionTable;
  deleted_session: DeletedSessionTable;
  push_subscription: PushSubscriptionTable;
  known_browser: KnownBrowserTable;
  recovery: RecoveryTable;
  account: AccountTable;
  poll_schedule: PollScheduleTable;
  post: PostTable;
  subscription: SubscriptionTable;
  past_plan: PastPlanTable;
  network_subscription: NetworkSubscriptionTable;
  late_payment_grace: LatePaymentGraceTable;
  unpaid_advance: UnpaidAdvanceTable;
  automatic_slot: AutomaticSlotTable;
  like_order: LikeOrderTable;
  order_event: OrderEventTable;
  service_clock: ServiceClockTable;
  service_outage: ServiceOutageTable;
  subscription_interval: SubscriptionIntervalTable;
  subscription_day: SubscriptionDayTable;
  subscription_pause: SubscriptionPauseTable;
  gateway_customer: GatewayCustomerTable;
  card: CardTable;
  card_detachment: CardDetachmentTable;
  customer_request: CustomerRequestTable;
  invoice: InvoiceTable;
  card_setup: CardSetupTable;
  charge: ChargeTable;
  credits_transaction: CreditsTransactionTable;
  policy_report: PolicyReportTable;
  billing_document: BillingDocumentTable;
  invoice_series: InvoiceSeriesTable;
  customer_tax_id: CustomerTaxIdTable;
  refund: RefundTable;
  plan_quote: PlanQuoteTable;
  bulk_operation: BulkOperationTable;
  bulk_item: BulkItemTable;
  refund_request: RefundRequestTable;
  refund_request_account: RefundRequestAccountTable;
  refund_request_card: RefundRequestCardTable;
  dispute: DisputeTable;
  gateway_reading: GatewayReadingTable;
  credit_balance: CreditBalanceTable;
  ledger_transaction: LedgerTransactionTable;
  ledger_entry: LedgerEntryTable;
  ledger_words: LedgerWordsTable;
  attempt: AttemptTable;
  rate_limit: RateLimitTable;
  promo_grant: PromoGrantTable;
  owed_mail: OwedMailTable;
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
  alert_choice: AlertChoiceTable;
  account_view: AccountViewTable;
}

/** Runs queries; a transaction is one too. */
export type Db = Kysely<Tables>;
/** Demanded by whatever must not run outside a transaction. */
export type Tx = Transaction<Tables>;

/** A connection of the queue's own, or the one connection there is. */
export type QueueStore = Pick<ConstructorOptions, 'db' | 'backend' | 'connectionString' | 'max'>;

export interface Database {
  readonly engine: 'pglite' | 'postgres';
  /** For single statements. Never call its `transaction()`: use the one below. */
  readonly db: Db;
  /**
   * Runs `work` in one READ COMMITTED transaction, again (at most 3 times) after a deadlock.
   * Throws when called inside another transaction: hand the `tx` down instead. What it changed is
   * written to the log of the replicas as its last statement, so nothing may be locked after `work`.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Which scopes of the replicas were touched, told after the commit. */
  readonly changes: Changes;
  /** How the job queue reaches the tables of its own in this database (schema `pgboss`). */
  readonly queueStore: QueueStore;
  close(): Promise<void>;
}
