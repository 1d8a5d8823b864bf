import { Input } from '@mantine/core';
import {
  CardCvcElement,
  CardExpiryElement,
  CardNumberElement,
  Elements,
  useElements,
  useStripe,
} from '@stripe/react-stripe-js';
import type {
  StripeCardNumberElementChangeEvent,
  StripeElementChangeEvent,
  StripeElementStyle,
} from '@stripe/stripe-js';
import { useId, useImperativeHandle, useRef, useState } from 'react';
import type { User } from '#shared/contract/people/user.ts';
import controls from '#web/theme/controls.module.css';
import { BrandMarks } from '../brand-marks.tsx';
import type { CardErrors } from '../card-values.ts';
import type { CardForm, GatewayFields } from '../use-card-form.ts';
import { ElsewhereCard } from './elsewhere-card.tsx';
import styles from './gateway-card.module.css';
import {
  errorsOfCode,
  type FieldState,
  fieldSentence,
  type GatewayField,
  isAccepted,
  isForeign,
  UNTOUCHED,
} from './gateway-codes.ts';
import { useGatewayStyle } from './gateway-style.ts';
import { takeCard } from './take-card.ts';
import { useGateway } from './use-gateway.ts';

const FIELDS = ['ccNum', 'ccMonth', 'cvv'] as const satisfies readonly GatewayField[];
const ELEMENTS = { ccNum: CardNumberElement, ccMonth: CardExpiryElement, cvv: CardCvcElement };
const LABELS = { ccNum: 'Card number', ccMonth: 'Expiry date (MM / YY)', cvv: 'CVV/CVC' };

const SLOW = 'The card fields are taking a while to load.';
const BLOCKED =
  'The card fields couldn’t be loaded. An ad blocker or your network may be blocking them.';

/** Number, expiry and code in the gateway's own frames: what is typed there never reaches this page. */
export function GatewayCard({ form, onSaved }: { form: CardForm; onSaved: (user: User) => void }) {
  const gateway = useGateway(form.entry);
  const { stripe, status } = gateway;
  return (
    <>
      {(status === 'slow' || status === 'blocked') && (
        <ElsewhereCard
          trouble={status === 'slow' ? SLOW : `${BLOCKED} ${toAllow(form)}, then try again.`}
          again={status === 'blocked' ? gateway.again : undefined}
          onSaved={onSaved}
        />
      )}
      {status === 'blocked' ? (
        <BlockedFields form={form} />
      ) : (
        <Elements stripe={stripe}>
          <Fields form={form} isReady={status === 'ready'} onReady={gateway.setReady} />
        </Elements>
      )}
    </>
  );
}

const toAllow = ({ entry }: CardForm): string =>
  entry?.way === 'gateway' ? `Allow scripts from ${new URL(entry.scriptUrl).host}` : '';

/** Draws none, and says so when the form is sent. */
function BlockedFields({ form }: { form: CardForm }) {
  useImperativeHandle<GatewayFields | null, GatewayFields | null>(
    form.gateway,
    () => {
      const problem = `The card fields are blocked. ${toAllow(form)} and try again, or enter your card on the card gateway’s own page.`;
      return {
        errors: () => ({}),
        takeCard: async () => ({ kind: 'refused', errors: {}, problem }),
        clear: () => undefined,
      };
    },
    [form],
  );
  return null;
}

function Fields({
  form,
  isReady,
  onReady,
}: {
  form: CardForm;
  isReady: boolean;
  onReady: () => void;
}) {
  const stripe = useStripe();
  const elements = useElements();
  const { errors, change } = form.fields;
  const style = useGatewayStyle();
  const [brand, setBrand] = useState<string>();
  const states = useRef<Record<GatewayField, FieldState>>({
    ccNum: UNTOUCHED,
    ccMonth: UNTOUCHED,
    cvv: UNTOUCHED,
  });
  const ready = useRef(new Set<GatewayField>());

  const sentences = (): CardErrors => {
    const found = FIELDS.map((field) => [field, fieldSentence(field, states.current[field])]);
    return Object.fromEntries(found.filter(([, sentence]) => sentence !== undefined));
  };
  useImperativeHandle<GatewayFields | null, GatewayFields | null>(
    form.gateway,
    () => {
      const number = elements?.getElement(CardNumberElement);
      if (!isReady || !stripe || !number) return null;
      return {
        errors: sentences,
        takeCard: (holder) => takeCard(stripe, number, holder),
        clear: () => {
          for (const field of FIELDS) elements?.getElement(ELEMENTS[field])?.clear();
        },
      };
    },
    [isReady, stripe, elements],
  );

  /** What is found while typing is said at once; what is merely not there yet, on the press. */
  const tell = (field: GatewayField): void => {
    const { isEmpty, code } = states.current[field];
    change({ [field]: '' }, isEmpty ? {} : errorsOfCode(code));
  };
  const onChange = (
    field: GatewayField,
    event: StripeElementChangeEvent | StripeCardNumberElementChangeEvent,
  ): void => {
    const { empty: isEmpty, complete: isComplete, error } = event;
    const isOther = 'brand' in event && isForeign(event.brand);
    const code = error?.code ?? (isOther ? 'invalid_number' : undefined);
    states.current[field] = { isEmpty, isComplete, code };
    if ('brand' in event) setBrand(event.brand);
    tell(field);
  };
  const props = (field: GatewayField) => ({
    field,
    style,
    error: errors[field],
    focus: () => elements?.getElement(ELEMENTS[field])?.focus(),
    onReady: () => {
      ready.current.add(field);
      if (ready.current.size < FIELDS.length) return;
      onReady();
      // A press before said there that the fields are still loading.
      tell('ccNum');
    },
    onChange: (event: StripeElementChangeEvent) => onChange(field, event),
  });
  return (
    <>
      <div>
        <Field {...props('ccNum')} />
        <BrandMarks recognized={isAccepted(brand) ? brand : undefined} />
      </div>
      <div className={styles['two']}>
        <Field {...props('ccMonth')} />
        <Field {...props('cvv')} />
      </div>
    </>
  );
}

function Field({
  field,
  style,
  error,
  focus,
  onReady,
  onChange,
}: {
  field: GatewayField;
  style: StripeElementStyle;
  error: string | undefined;
  focus: () => void;
  onReady: () => void;
  onChange: (event: StripeElementChangeEvent) => void;
}) {
  const id = useId();
  const shared = { id, onReady, onChange };
  return (
    <Input.Wrapper
      id={id}
      label={LABELS[field]}
      labelProps={{ onClick: focus }}
      error={error}
      // Its frame can't be described by what stands out here: whoever listens is told.
      errorProps={{ role: 'alert' }}
      classNames={{ label: controls['label'] ?? '', error: controls['error'] ?? '' }}
    >
      <div
        className={`${controls['input']} ${styles['frame']}`}
        data-name={field}
        data-error={error === undefined ? undefined : true}
        tabIndex={-1}
        onFocus={(event) => {
          if (event.target === event.currentTarget) focus();
        }}
      >
        {field === 'ccNum' && (
          <CardNumberElement {...shared} options={{ style, placeholder: '', disableLink: true }} />
        )}
        {field === 'ccMonth' && <CardExpiryElement {...shared} options={{ style }} />}
        {field === 'cvv' && <CardCvcElement {...shared} options={{ style, placeholder: '' }} />}
      </div>
    </Input.Wrapper>
  );
}
