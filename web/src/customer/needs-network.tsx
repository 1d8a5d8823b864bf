import { useOnline } from '#web/platform/use-online.ts';

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
