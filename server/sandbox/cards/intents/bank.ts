import { type SandboxContext } from '../../context.ts';
import { textOption } from '../../faults.ts';
import type { CardMethod } from '../methods.ts';
import type { ErrorDetails } from '../gateway-answer.ts';
import { isMonthOver, type CardBehaviour } from '../read-card.ts';

export type BankRefusal = Omit<ErrorDetails, 'type'>;

/** `asks`: the cardholder has to confirm it on the bank's page. */
export type Verdict = { kind: 'yes' } | { kind: 'asks' } | { kind: 'no'; refusal: BankRefusal };

/** What is asked of a bank. */
export interface BankQuestion {
  method: CardMethod;
  /** A set-up moves no money. */
  isSetUp: boolean;
  /** The cardholder isn't there to be asked. */
  isOffSession: boolean;
  /** The cardholder has confirmed this one. */
  isConfirmed: boolean;
}

export type Bank = (question: BankQuestion) => Verdict;

/** What `POST /control/faults` takes for banks: each aimed by `customer` or `last4`. */
export const BANK_SCENARIOS = ['bank_asks', 'bank_declines'] as const;

/**
 * The banks of all cards: each card behaves as its number says. Scenarios of system `cards`, aimed by
 * `customer` and `last4`: `bank_asks` (any card has to be confirmed), `bank_declines {decline?}`.
 */
export function openBank({ faults, now }: Pick<SandboxContext, 'faults' | 'now'>): Bank {
  const take = (
    scenario: string,
    { customer, last4 }: CardMethod,
  ): ReturnType<typeof faults.take> =>
    faults.take('cards', scenario, ({ options }) => {
      const only = textOption(options, 'customer');
      const card = textOption(options, 'last4');
      return (!only || only === customer) && (!card || card === last4);
    });
  return (question) => {
    const { method, isConfirmed } = question;
    if (isMonthOver(method, now())) return { kind: 'no', refusal: EXPIRED };
    const declined = take('bank_declines', method);
    if (declined) {
      const decline = textOption(declined.options, 'decline') ?? DECLINED.decline_code;
      return { kind: 'no', refusal: { ...DECLINED, decline_code: decline } };
    }
    const isAsking = !isConfirmed && take('bank_asks', method) !== undefined;
    return judge(
      isAsking ? { ...question, method: { ...method, behaviour: 'always_asks' } } : question,
    );
  };
}

function judge(question: BankQuestion): Verdict {
  const { method, isSetUp, isOffSession, isConfirmed } = question;
  const { behaviour, isSetUp: wasSetUp } = method;
  if (!isConfirmed && ASKING.has(behaviour)) {
    if (!isOffSession) return { kind: 'asks' };
    if (!wasSetUp || behaviour === 'always_asks') return { kind: 'no', refusal: MUST_CONFIRM };
  }
  const refusal = (isSetUp ? SET_UP_REFUSALS : REFUSALS)[behaviour];
  return refusal ? { kind: 'no', refusal } : { kind: 'yes' };
}

/** Banks that ask whenever the cardholder is there. */
const ASKING: ReadonlySet<CardBehaviour> = new Set([
  'asks_unless_set_up',
  'always_asks',
  'asks_then_insufficient_funds',
]);

export const DECLINED = {
  code: 'card_declined',
  decline_code: 'generic_decline',
  message: 'Your card was declined.',
} as const;

const INSUFFICIENT: BankRefusal = {
  code: 'card_declined',
  decline_code: 'insufficient_funds',
  message: 'Your card has insufficient funds.',
};

const EXPIRED: BankRefusal = {
  code: 'expired_card',
  decline_code: 'expired_card',
  message: 'Your card has expired.',
};

export const MUST_CONFIRM: BankRefusal = {
  code: 'authentication_required',
  decline_code: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
};

const SET_UP_REFUSALS: Partial<Record<CardBehaviour, BankRefusal>> = { declined: DECLINED };

const REFUSALS: Partial<Record<CardBehaviour, BankRefusal>> = {
  declined: DECLINED,
  fails_when_charged: DECLINED,
  insufficient_funds: INSUFFICIENT,
  asks_then_insufficient_funds: INSUFFICIENT,
};
