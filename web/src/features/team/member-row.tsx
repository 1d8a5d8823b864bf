import { Button, PasswordInput, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { changeMember, handOver, type Member, removeMember } from '#shared/contract/people/team.ts';
import { formatCents } from '#shared/domain/money/money.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { fieldErrors } from '#web/ui/forms/field-errors.ts';
import { focusFirstError } from '#web/ui/forms/focus-first-error.ts';
import { SHOW_PASSWORD } from '#web/ui/forms/show-password.ts';
import { focusFirst, useSwapFocus } from '#web/ui/forms/use-swap-focus.ts';
import { counted } from '#web/ui/words/figures.ts';
import { GrantsForm } from './grants-form.tsx';
import { RoleField } from './invite-form.tsx';
import { RowButton } from './row-button.tsx';
import styles from './team.module.css';
import type { UsedClients } from './use-clients.ts';
import { isDone, type UsedTeam } from './use-team.ts';

type Step = 'change' | 'clients' | 'remove' | 'hand_over';

/** Somebody in the workspace; an owner changes them below their line, one step at a time. */
export function MemberRow({
  member,
  used,
  clients,
  canChange,
}: {
  member: Member;
  used: UsedTeam;
  clients: UsedClients;
  canChange: boolean;
}) {
  const [step, setStep] = useState<Step>();
  const { name, email, role, spendLimit, isThis, allClients, grants = [] } = member;
  const backTo = useSwapFocus(step);
  const close = (): void => setStep(undefined);
  const opens = (one: Step) => ({ of: name, ref: backTo(one), onPress: () => setStep(one) });
  return (
    <li>
      <div className={styles['line']}>
        <div>
          <p className="wrap-anywhere">
            <strong dir="auto">{name}</strong>
            {isThis && ' (you)'}
          </p>
          <p className="c-soft wrap-anywhere">
            {email}, {role}
            {role === 'Manager' &&
              spendLimit !== null &&
              `, up to ${formatCents(spendLimit * 100)} a month`}
            {allClients === false &&
              (grants.length === 0
                ? ', for no clients yet'
                : `, for ${counted(grants.length, 'client')} only`)}
          </p>
        </div>
        {canChange && !isThis && step === undefined && (
          <div className="flex flex-wrap gap-2">
            <RowButton {...opens('change')} label="Change role" />
            {role !== 'Owner' && <RowButton {...opens('clients')} label="Clients" />}
            <RowButton {...opens('hand_over')} label="Make owner" />
            <RowButton {...opens('remove')} label="Remove" />
          </div>
        )}
      </div>
      {canChange && step === 'change' && <Change {...{ member, used, close }} />}
      {canChange && step === 'clients' && <GrantsForm {...{ member, used, clients, close }} />}
      {canChange && step === 'remove' && <Remove {...{ member, used, close }} />}
      {canChange && step === 'hand_over' && <HandOver {...{ member, used, close }} />}
    </li>
  );
}

interface StepProps {
  member: Member;
  used: UsedTeam;
  close: () => void;
}

function Change({ member, used, close }: StepProps) {
  const { userId } = useCustomer();
  const [role, setRole] = useState(member.role);
  const [limit, setLimit] = useState(member.spendLimit === null ? '' : String(member.spendLimit));
  const [errors, setErrors] = useState<Record<string, string>>({});
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    const spendLimit = limit.trim() === '' ? null : Number(limit);
    const change = { userId, memberId: member.id, role };
    const input = role === 'Manager' ? { ...change, spendLimit } : change;
    // What isn't a number would be sent as null, which is no limit at all.
    const found = fieldErrors(changeMember.input, input);
    setErrors(found);
    if (Object.keys(found).length > 0) return void focusFirstError(form, found);
    const refused = await used.send(changeMember, input);
    if (isDone(refused)) return close();
    setErrors(refused ?? {});
    return void focusFirstError(form, refused ?? {});
  };
  return (
    <form
      ref={focusFirst}
      className="narrow-form"
      noValidate
      onSubmit={(event) => void submit(event)}
    >
      <RoleField role={role} change={setRole} />
      {role === 'Manager' && (
        <TextInput
          label="Dollars a month they can spend"
          description="Leave it empty for no limit."
          name="spendLimit"
          inputMode="numeric"
          autoComplete="off"
          value={limit}
          error={errors['spendLimit']}
          onChange={(event) => setLimit(event.currentTarget.value)}
        />
      )}
      <Buttons save="Save role" used={used} path={changeMember.path} close={close} />
    </form>
  );
}

function Remove({ member, used, close }: StepProps) {
  const { userId } = useCustomer();
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    await used.send(removeMember, { userId, memberId: member.id });
  };
  return (
    <form ref={focusFirst} className="narrow-form" onSubmit={(event) => void submit(event)}>
      <p>
        {member.name} is logged out of this workspace at once, and its data is removed from their
        devices. What they did here stays.
      </p>
      <Buttons save="Remove now" used={used} path={removeMember.path} close={close} />
    </form>
  );
}

function HandOver({ member, used, close }: StepProps) {
  const { userId } = useCustomer();
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string>();
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (password === '') return setProblem('Please enter your current password');
    const refused = await used.send(handOver, { userId, memberId: member.id, password });
    if (isDone(refused)) return close();
    return setProblem(refused?.['password']);
  };
  return (
    <form
      ref={focusFirst}
      className="narrow-form"
      noValidate
      onSubmit={(event) => void submit(event)}
    >
      <p>
        {member.name} becomes the owner, and you a manager. Only they can make you the owner again.
      </p>
      <PasswordInput
        label="Your password, to hand over"
        name="password"
        autoComplete="current-password"
        visibilityToggleButtonProps={SHOW_PASSWORD}
        value={password}
        error={problem}
        onChange={(event) => {
          setPassword(event.currentTarget.value);
          setProblem(undefined);
        }}
      />
      <Buttons save="Hand over" used={used} path={handOver.path} close={close} />
    </form>
  );
}

function Buttons({
  save,
  used,
  path,
  close,
}: {
  save: string;
  used: UsedTeam;
  path: string;
  close: () => void;
}) {
  return (
    <div className="flex flex-wrap gap-3">
      <Button type="submit" loading={used.sending === path}>
        {save}
      </Button>
      <Button variant="default" disabled={used.sending === path} onClick={close}>
        Cancel
      </Button>
    </div>
  );
}
