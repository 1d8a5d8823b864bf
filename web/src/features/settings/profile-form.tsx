import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { updateProfile } from '#shared/contract/people/own-account.ts';
import type { User } from '#shared/contract/people/user.ts';
import { findTimeZone } from '#shared/domain/time-zone.ts';
import { fieldErrors } from '#web/ui/forms/field-errors.ts';
import { focusFirstError } from '#web/ui/forms/focus-first-error.ts';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { toastSuccess } from '#web/ui/toasts/toast.ts';
import { ZoneInput, ZONES } from '#web/ui/forms/zone-input.tsx';
import { useCustomer } from '#web/customer/customer.ts';
import { useServices } from '#web/platform/services.ts';
import { Section } from './section.tsx';
import { useSave } from './use-save.ts';

/** A place that was typed becomes its zone; anything else is refused as it stands. */
function typed<T extends { timeZone: string }>(values: T): T {
  return { ...values, timeZone: findTimeZone(values.timeZone, ZONES) ?? values.timeZone };
}

/** Name, phone and time zone; the e-mail address stays what it is (S§2). */
export function ProfileForm({ user }: { user: User }) {
  const { api } = useServices();
  const { keepAnswer } = useCustomer();
  const form = useForm({
    initialValues: { name: user.name, phone: user.phone, timeZone: user.timeZone },
    validate: (values) => fieldErrors(updateProfile.input, { ...typed(values), userId: user.id }),
  });

  const { isSaving, problem, save } = useSave(
    form,
    () => api.call(updateProfile, { ...typed(form.getValues()), userId: user.id }),
    async ({ data, message }) => {
      await keepAnswer(data);
      toastSuccess(message ?? 'Details saved');
    },
    'We couldn’t reach the server. Please save your details again.',
  );

  return (
    <Section part="details">
      <form
        className="narrow-form"
        noValidate
        onSubmit={form.onSubmit(
          (_values, event) => void save(event?.currentTarget),
          (errors, _values, event) => event && focusFirstError(event.currentTarget, errors),
        )}
      >
        <TextInput
          label="Email"
          description="You log in with this email, so it can’t be changed."
          type="email"
          value={user.email}
          readOnly
        />
        <TextInput label="Name" name="name" autoComplete="name" {...form.getInputProps('name')} />
        <TextInput
          label="Phone"
          name="phone"
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          {...form.getInputProps('phone')}
        />
        <ZoneInput
          enterKeyHint="go"
          description="Used for dates in emails about your payments, and for the months of budgets and client reports. Each plan keeps the time zone it was bought in. Type a city, such as New York."
          {...form.getInputProps('timeZone')}
        />
        <FormProblem sentence={problem} />
        <Button type="submit" loading={isSaving}>
          Save details
        </Button>
      </form>
    </Section>
  );
}
