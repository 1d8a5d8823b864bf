import type { Stripe } from 'stripe';
import type { CardStore } from '../card-store.ts';
import { type FormFields, textField, textGroup, urlField } from '../form.ts';
import { invalid, missing } from '../gateway-answer.ts';
import { type Confirmation, firstStatus, type Intent } from './intent-machine.ts';

/** Whose it shall be; empty: nobody's. @throws GatewayRefusal */
export function readCustomer(fields: FormFields, store: CardStore): string {
  const id = textField(fields, 'customer') ?? '';
  return id === '' ? '' : store.getCustomerId(id);
}

/** What creating an intent of either kind says; `usage` names its field. @throws GatewayRefusal */
export function readNewIntent(fields: FormFields, store: CardStore, usage: string) {
  const customer = readCustomer(fields, store);
  const method = textField(fields, 'payment_method');
  if (method !== undefined) store.getPayable(method, customer);
  return {
    customer,
    method: method ?? '',
    description: textField(fields, 'description') ?? null,
    metadata: JSON.stringify(textGroup(fields, 'metadata')),
    status: firstStatus(method !== undefined),
    usage: readUsage(fields, usage),
    /** It is confirmed at once. */
    isConfirmed: textField(fields, 'confirm') === 'true',
  };
}

/** The parameters of a confirmation; the card is the one given, or the intent's own. @throws GatewayRefusal */
export function readConfirmation(
  fields: FormFields,
  intent: Pick<Intent, 'customer' | 'method'>,
  store: CardStore,
): Confirmation {
  const id = textField(fields, 'payment_method') ?? intent.method;
  if (id === '') throw missing('payment_method');
  const returnUrl = urlField(fields, 'return_url');
  return {
    method: store.getPayable(id, intent.customer),
    isOffSession: textField(fields, 'off_session') === 'true',
    returnUrl: textField(fields, 'use_stripe_sdk') === 'true' ? null : returnUrl,
    isRefusedWhenAsked: textField(fields, 'error_on_requires_action') === 'true',
  };
}

const USAGES = ['off_session', 'on_session'];

/** How the card shall be used later, or null. @throws GatewayRefusal */
function readUsage(fields: FormFields, name: string): string | null {
  const usage = textField(fields, name) ?? null;
  if (usage === null || USAGES.includes(usage)) return usage;
  throw invalid(name, `Invalid ${name}: must be one of ${USAGES.join(', ')}`);
}

type NextAction = Pick<
  Stripe.PaymentIntent.NextAction,
  'type' | 'redirect_to_url' | 'use_stripe_sdk'
>;

/** What the cardholder's browser has to do next, or null. */
export function nextAction(
  { status, attempt, returnUrl }: Intent,
  bankUrl: string,
): NextAction | null {
  if (status !== 'requires_action' || attempt === null) return null;
  const url = `${bankUrl}/${attempt}`;
  return returnUrl === null
    ? {
        type: 'use_stripe_sdk',
        use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: url },
      }
    : { type: 'redirect_to_url', redirect_to_url: { url, return_url: returnUrl } };
}

/** The last refusal as shown, with the card it was about. */
export function lastError(
  { error, method }: Intent,
  store: CardStore,
): Stripe.PaymentIntent.LastPaymentError | null {
  if (error === null) return null;
  const card = store.findMethod(method);
  return {
    ...(JSON.parse(error) as Stripe.PaymentIntent.LastPaymentError),
    ...(card && { payment_method: card }),
  };
}
