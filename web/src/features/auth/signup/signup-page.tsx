import { Anchor, Button, PasswordInput, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { register, type User } from '#shared/contract/people/user.ts';
import { LAST_SIGNUP_PLAN, getPlan, type Plan } from '#shared/domain/money/plans.ts';
import { parseIgUsername, typedUsername } from '#shared/domain/accounts/ig-username.ts';
import { isTimeZone } from '#shared/domain/time-zone.ts';
import { SIGNUP_REDIRECT_MS } from '#shared/domain/timings.ts';
import { AuthPage } from '../auth-page.tsx';
import { fieldErrors } from '#web/ui/forms/field-errors.ts';
import { focusFirstError } from '#web/ui/forms/focus-first-error.ts';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { KeepSignedIn } from '../keep-signed-in.tsx';
import { PromoBanner } from '#web/payments/promo/promo-banner.tsx';
import { SHOW_PASSWORD } from '#web/ui/forms/show-password.ts';
import { hideToasts, toastSuccess } from '#web/ui/toasts/toast.ts';
import { usePageTitle } from '#web/ui/page/use-page-title.ts';
import { beginSession } from '#web/customer/session/begin-session.ts';
import { keepPickedPlan } from '#web/platform/picked-plan.ts';
import { useServices } from '#web/platform/services.ts';
import { PackageField } from './package-field.tsx';
import {
  digitsOnly,
  firstPackage,
  planOfCard,
  type SignupValues,
  usernameOfVisitor,
} from './signup-form.ts';
import styles from './signup-page.module.css';
import { formatCents } from '#shared/domain/money/money.ts';
import picked from './picked-plan.module.css';

const EMPTY: SignupValues = {
  name: '',
  email: '',
  password: '',
  igUsername: '',
  phone: '',
  package: '1',
};
const NO_ANSWER =
  'We couldn’t reach the server. What you typed is still here. It’s safe to press Sign Up again: you’ll only get one account.';
const UNREADABLE_ANSWER =
  'Something went wrong. Try logging in. If that doesn’t work, sign up again.';

/** Registration (S§2). On success the checkout follows after a moment to read the message. */
export function SignupPage() {
  usePageTitle('Sign up');
  const services = useServices();
  const navigate = useNavigate();
  const [parameters] = useSearchParams();
  const wanted = planOfCard(parameters.get('package'));
  const [values, setValues] = useState({
    ...EMPTY,
    package: firstPackage(wanted),
    igUsername: usernameOfVisitor(parameters.get('igUsername')),
  });
  /** Sign-up doesn't offer the largest plans; the checkout does (D9). */
  const [largePlan, setLargePlan] = useState(
    wanted && wanted.number > LAST_SIGNUP_PLAN ? wanted : undefined,
  );
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [keepSignedIn, setKeepSignedIn] = useState(true);
  const [isSending, setIsSending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [registered, setRegistered] = useState<User>();

  useEffect(() => {
    if (!registered) return undefined;
    const { paths } = services;
    const checkout = largePlan
      ? paths.otherSubscription(largePlan.number, registered.defaultIgUsername)
      : paths.subscription;
    const next = registered.inSubscription ? paths.dashboard : checkout;
    const timer = setTimeout(() => void navigate(next, { replace: true }), SIGNUP_REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [registered, navigate, services, largePlan]);

  const change =
    (field: keyof SignupValues, read = (typed: string): string => typed) =>
    (event: { currentTarget: { value: string } }): void => {
      const typed = read(event.currentTarget.value);
      setValues((before) => ({ ...before, [field]: typed }));
      setErrors(({ [field]: _settled, ...others }) => others);
    };

  const igUsername = typedUsername(values.igUsername);
  const input = { ...values, igUsername };
  const send = async (form: HTMLFormElement): Promise<void> => {
    setIsSending(true);
    setProblem(undefined);
    hideToasts();
    const timeZone = services.platform.timeZone();
    const zone = isTimeZone(timeZone) ? { timeZone } : {};
    const answer = await services.api.call(register, { ...input, keepSignedIn, ...zone });
    if (answer.kind !== 'success') setIsSending(false);
    switch (answer.kind) {
      case 'success':
        await beginSession(services, answer.data, keepSignedIn);
        setIsSending(false);
        if (largePlan) keepPickedPlan(services.platform, answer.data.id, largePlan.number);
        toastSuccess('Successfully Registered');
        setRegistered(answer.data);
        return;
      case 'error':
        setErrors(answer.fields);
        if (!focusFirstError(form, answer.fields)) setProblem(answer.message);
        return;
      case 'unknown_status':
        services.platform.report('Registration got an unknown status');
        setProblem(UNREADABLE_ANSWER);
        return;
      case 'network':
        services.platform.report('Registration got no answer');
        setProblem(NO_ANSWER);
    }
  };

  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = event.currentTarget;
    const found = fieldErrors(register.input, input);
    setErrors(found);
    if (Object.keys(found).length > 0) focusFirstError(form, found);
    else void send(form);
  };

  const isDone = registered !== undefined;
  return (
    <AuthPage
      title="Sign up"
      home={services.paths.landing}
      beside={
        <PickedPlan
          plan={largePlan ?? getPlan(Number(values.package))}
          igUsername={parseIgUsername(igUsername) ?? ''}
        />
      }
    >
      <PromoBanner api={services.api} now={services.platform.now} />
      <form className={styles['form']} onSubmit={submit} noValidate>
        <FormProblem sentence={problem} />
        <div className={styles['pair']}>
          <TextInput
            label="Name"
            name="name"
            autoComplete="name"
            value={values.name}
            onChange={change('name')}
            error={errors['name']}
          />
          <TextInput
            label="Email"
            name="email"
            type="email"
            inputMode="email"
            autoComplete="email"
            value={values.email}
            onChange={change('email')}
            error={errors['email']}
          />
        </div>
        <PasswordInput
          label="Password"
          description="8 to 128 characters"
          name="password"
          autoComplete="new-password"
          visibilityToggleButtonProps={SHOW_PASSWORD}
          value={values.password}
          onChange={change('password')}
          error={errors['password']}
        />
        <TextInput
          label="Instagram username"
          description="A public professional account. We never ask for your Instagram password."
          name="igUsername"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={values.igUsername}
          onChange={change('igUsername')}
          error={errors['igUsername']}
        />
        <TextInput
          label="Phone"
          name="phone"
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          enterKeyHint="go"
          value={values.phone}
          onChange={change('phone', digitsOnly)}
          error={errors['phone']}
        />
        <PackageField
          largePlan={largePlan}
          leaveLarge={() => setLargePlan(undefined)}
          value={values.package}
          change={change('package')}
          error={errors['package']}
        />
        <KeepSignedIn isKept={keepSignedIn} change={setKeepSignedIn} />
        <Button type="submit" loading={isSending} disabled={isDone} fullWidth>
          Sign Up
        </Button>
        <p className={styles['next']} aria-live="polite">
          {isDone && 'Your account is ready. Checkout opens in a moment.'}
        </p>
        <p className="c-soft">
          Already have an account?{' '}
          <Anchor component={Link} to={services.paths.login} underline="always">
            Log In
          </Anchor>
        </p>
      </form>
    </AuthPage>
  );
}

/** Beside the form: the plan that was picked, what it costs, and what happens next. */
function PickedPlan({ plan, igUsername }: { plan: Plan; igUsername: string }) {
  return (
    <section className={picked['picked']} aria-labelledby="picked-plan">
      <h2 id="picked-plan">Your plan</h2>
      <p className={picked['likes']}>
        <strong>{plan.description}</strong> likes per post
      </p>
      <p className="text-3">{formatCents(plan.priceCents)} a month</p>
      <ol className={picked['next']}>
        <li>
          <strong>Sign up.</strong> You pay nothing yet.
        </li>
        <li>
          <strong>Check out.</strong> You’ll see the exact amount before you pay.
        </li>
        <li>
          <strong>Post as usual.</strong> We watch{' '}
          {igUsername === '' ? 'your account' : `@${igUsername}`} and take it from there.
        </li>
      </ol>
      <p className={picked['calm']}>Cancel anytime. 30-day money-back guarantee on a new plan.</p>
    </section>
  );
}
