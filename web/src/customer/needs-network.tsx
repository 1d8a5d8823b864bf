import { useOnline } from '#web/platform/use-online.ts';

/** On a page whose frame says that we're offline: what isn't there without the network. */
export function MissesNetwork({
  what,
}: {
  what: 'A report' | 'Another report' | 'A change to the team' | 'What was done' | 'An invoice';
}) {
  return (
    <p className="c-soft" role="status">
      {what} needs a connection.
    </p>
  );
}

/** While offline: says that this can't wait here for the network as other changes can. */
export function NeedsNetwork({ what }: { what: 'A payment' | 'A plan change' }) {
  const isOnline = useOnline();
  if (isOnline) return null;
  return (
    <p className="notice" data-tone="wait" role="status">
      You’re offline. {what} needs a connection. What you typed stays here.
    </p>
  );
}
