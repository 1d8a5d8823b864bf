import type { Stripe } from 'stripe';

/** What objects of the gateway have and the sandbox never fills: the package's types decide that none is forgotten. */
const ALL = { livemode: false, on_behalf_of: null } as const;

const INTENT = {
  ...ALL,
  application: null,
  automatic_payment_methods: null,
  excluded_payment_method_types: null,
  payment_method_configuration_details: null,
  payment_method_options: null,
  customer_account: null,
} as const;

export const CUSTOMER_EMPTY = {
  livemode: false,
  balance: 0,
  default_source: null,
  description: null,
  invoice_settings: {
    custom_fields: null,
    default_payment_method: null,
    footer: null,
    rendering_options: null,
  },
  shipping: null,
} satisfies Partial<Stripe.Customer>;

export const PAYMENT_INTENT_EMPTY = {
  ...INTENT,
  amount_capturable: 0,
  application_fee_amount: null,
  managed_payments: null,
  payment_record: null,
  receipt_email: null,
  review: null,
  shipping: null,
  source: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  transfer_group: null,
} satisfies Partial<Stripe.PaymentIntent>;

export const SETUP_INTENT_EMPTY = {
  ...INTENT,
  flow_directions: null,
  latest_attempt: null,
  mandate: null,
  single_use_mandate: null,
} satisfies Partial<Stripe.SetupIntent>;

export const CHARGE_EMPTY = {
  ...ALL,
  application: null,
  application_fee: null,
  application_fee_amount: null,
  balance_transaction: null,
  calculated_statement_descriptor: null,
  failure_balance_transaction: null,
  failure_code: null,
  failure_message: null,
  fraud_details: null,
  outcome: null,
  receipt_email: null,
  receipt_number: null,
  receipt_url: null,
  review: null,
  shipping: null,
  source: null,
  source_transfer: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  transfer_data: null,
  transfer_group: null,
} satisfies Partial<Stripe.Charge>;

export const BILLING_EMPTY = {
  address: null,
  email: null,
  name: null,
  phone: null,
  tax_id: null,
} satisfies Stripe.Charge.BillingDetails;

export const CHARGE_CARD_EMPTY = {
  amount_authorized: null,
  authorization_code: null,
  electronic_commerce_indicator: null,
  installments: null,
  mandate: null,
  network_transaction_id: null,
  regulated_status: null,
  three_d_secure: null,
  transaction_link_id: null,
  wallet: null,
} satisfies Partial<Stripe.Charge.PaymentMethodDetails.Card>;

export const REFUND_EMPTY = {
  balance_transaction: null,
  customer: null,
  customer_account: null,
  payment_method: null,
  receipt_number: null,
  source_transfer_reversal: null,
  transfer_reversal: null,
} satisfies Partial<Stripe.Refund>;

export const CARD_EMPTY = {
  generated_from: null,
  regulated_status: null,
  wallet: null,
} satisfies Partial<Stripe.PaymentMethod.Card>;

export const SESSION_EMPTY = {
  livemode: false,
  adaptive_pricing: null,
  after_expiration: null,
  allow_promotion_codes: null,
  allowed_payment_method_types: null,
  automatic_tax: { enabled: false, liability: null, provider: null, status: null },
  client_secret: null,
  collected_information: null,
  consent: null,
  consent_collection: null,
  currency_conversion: null,
  custom_fields: [],
  custom_text: {
    after_submit: null,
    shipping_address: null,
    submit: null,
    terms_of_service_acceptance: null,
  },
  customer_account: null,
  customer_creation: null,
  customer_details: null,
  customer_email: null,
  discounts: null,
  integration_identifier: null,
  invoice: null,
  invoice_creation: null,
  locale: null,
  managed_payments: null,
  origin_context: null,
  payment_link: null,
  payment_method_collection: null,
  payment_method_configuration_details: null,
  payment_method_options: null,
  permissions: null,
  recovered_from: null,
  saved_payment_method_options: null,
  shipping_address_collection: null,
  shipping_cost: null,
  shipping_options: [],
  submit_type: null,
  subscription: null,
  total_details: null,
  wallet_options: null,
} satisfies Partial<Stripe.Checkout.Session>;

export const DISPUTE_EMPTY = {
  livemode: false,
  balance_transactions: [],
  enhanced_eligibility_types: [],
  intended_submission_method: null,
  metadata: {},
} satisfies Partial<Stripe.Dispute>;

export const EVIDENCE_EMPTY = {
  enhanced_evidence: {},
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
} satisfies Stripe.Dispute.Evidence;
