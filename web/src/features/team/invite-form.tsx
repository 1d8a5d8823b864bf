import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { inviteMember } from '#shared/contract/people/team.ts';
import { type Role, ROLES } from '#shared/domain/people/may.ts';
import { INVITATION_HOURS } from '#shared/domain/people/team.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { fieldErrors } from '#web/ui/forms/field-errors.ts';
import { focusFirstError } from '#web/ui/forms/focus-first-error.ts';
import { isDone, type UsedTeam } from './use-team.ts';

/** What each role may do, in one line. */
const ROLE_NOTES: Readonly<Record<Role, string>> = {
  Owner: 'Everything, and decides who works here',
  Manager: 'Everything but the team: accounts, plans, credits and payments',
  Editor: 'Accounts and delivery settings, nothing that costs money',
  Viewer: 'Sees accounts, posts and orders, changes nothing',
};

/** Mails a link to an address. */
export function InviteForm({ used }: { used: UsedTeam }) {
  const { userId } = useCustomer();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('Editor');
  const [allClients, setAllClients] = useState(true);
  const [errors, setErrors] = useState<Record<string, string>>({});

  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    const input = { userId, email, role, allClients };
    const found = fieldErrors(inviteMember.input, input);
    setErrors(found);
    if (Object.keys(found).length > 0) return void focusFirstError(form, found);
    const refused = await used.send(inviteMember, input);
    if (isDone(refused)) return setEmail('');
    setErrors(refused ?? {});
    return void focusFirstError(form, refused ?? {});
  };

  return (
    <form className="narrow-form" noValidate onSubmit={(event) => void submit(event)}>
      <TextInput
        label="Email"
        description={`They get a link that works once, for ${INVITATION_HOURS} hours.`}
        name="email"
        type="email"
        inputMode="email"
        autoComplete="off"
        value={email}
        error={errors['email']}
        onChange={(event) => {
          setEmail(event.currentTarget.value);
          setErrors({});
        }}
      />
      <RoleField role={role} change={setRole} />
      {role !== 'Owner' && (
        <Checkbox
          label="All clients"
          description="Without it they see nothing until you choose clients for them."
          checked={allClients}
          onChange={(event) => setAllClients(event.currentTarget.checked)}
        />
      )}
      <Button type="submit" loading={used.sending === inviteMember.path}>
        Send invitation
      </Button>
    </form>
  );
}

/** A role, with what it may do. */
export function RoleField({ role, change }: { role: Role; change: (role: Role) => void }) {
  return (
    <NativeSelect
      label="Role"
      description={ROLE_NOTES[role]}
      name="role"
      autoComplete="off"
      data={[...ROLES]}
      value={role}
      onChange={(event) => change(ROLES.find((one) => one === event.currentTarget.value) ?? role)}
    />
  );
}
