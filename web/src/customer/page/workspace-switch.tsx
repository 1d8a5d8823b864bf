import { useState } from 'react';
import type { User } from '#shared/contract/people/user.ts';
import { switchWorkspace } from '#shared/contract/people/workspace.ts';
import { useServices } from '#web/platform/services.ts';
import { ChevronDownIcon } from '#web/ui/icons.tsx';
import { MenuButton } from '#web/ui/menu/menu-button.tsx';
import { toastError } from '#web/ui/toasts/toast.ts';
import { useCustomer } from '../customer.ts';
import styles from './customer-bar.module.css';

const NO_ANSWER = 'We couldn’t reach the server, so you’re still in this workspace.';

/** Which workspace is shown, and the way to the others; only for who is in several. */
export function WorkspaceSwitch({ membership }: { membership: NonNullable<User['membership']> }) {
  const { api } = useServices();
  const { userId, continueIn } = useCustomer();
  const [isSwitching, setIsSwitching] = useState(false);
  const { workspaces, workspaceId } = membership;
  const shown = workspaces.find(({ id }) => id === workspaceId);

  const change = async (id: string): Promise<void> => {
    setIsSwitching(true);
    const answer = await api.call(switchWorkspace, { userId, workspaceId: id });
    if (answer.kind === 'success') return continueIn(answer.data);
    setIsSwitching(false);
    return toastError(answer.kind === 'error' ? answer.message : NO_ANSWER);
  };
  return (
    <MenuButton
      name={`Workspace: ${shown?.name ?? ''}`}
      label="Your workspaces"
      items={workspaces.map(({ id, name, role }) => ({
        label: `${name} (${id === workspaceId ? 'shown' : role})`,
        isDisabled: isSwitching || id === workspaceId,
        onSelect: () => void change(id),
      }))}
    >
      <span className={styles['name']} dir="auto" data-workspace>
        {shown?.name}
      </span>
      <ChevronDownIcon />
    </MenuButton>
  );
}
