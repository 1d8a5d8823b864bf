import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { useServices } from '#web/platform/services.ts';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { useDialogs } from './dialogs/dialogs.ts';
import { OnlyFor } from './rights/only-for.tsx';

/** A workspace without any connected account: one is connected, or as many as somebody pastes. */
export function ConnectFirst() {
  const dialogs = useDialogs();
  const { paths } = useServices();
  return (
    <EmptyState scene="accounts" title="No accounts yet" isHeading>
      <p>
        Connect a public professional account, and its posts show up here. Many accounts? Paste
        their names, and choose clients, tags and plans later.
      </p>
      <OnlyFor action="connect">
        <div className="flex flex-wrap justify-center gap-3">
          <Button onClick={() => dialogs.open({ kind: 'add_account' })}>Add account</Button>
          <Button
            variant="default"
            onClick={() => dialogs.open({ kind: 'bulk_change', accounts: [], about: 'names' })}
          >
            Paste names
          </Button>
          <Button variant="default" component={Link} to={paths.sample}>
            Try a sample
          </Button>
        </div>
      </OnlyFor>
    </EmptyState>
  );
}
