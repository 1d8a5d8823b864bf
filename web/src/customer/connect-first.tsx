import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { useServices } from '#web/platform/services.ts';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { useDialogs } from './dialogs/dialogs.ts';
import { useMay } from './rights/use-may.ts';

/**
 * Nobody has connected an account, or none is shown to this person yet: who may connects one, or as many as they paste.
 */
export function ConnectFirst() {
  const dialogs = useDialogs();
  const { paths } = useServices();
  const mayConnect = useMay('connect');
  return (
    <EmptyState scene="accounts" title="No accounts yet" isHeading>
      {mayConnect ? (
        <>
          <p>
            Connect a public professional account, and its posts show up here. Many accounts? Paste
            their names, and choose clients, tags and plans later.
          </p>
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
        </>
      ) : (
        <p>
          There’s nothing to show you here yet. Once the owner of this workspace gives you a client
          or connects an account, it shows up here.
        </p>
      )}
    </EmptyState>
  );
}
