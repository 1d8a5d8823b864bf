import { Checkbox } from '@mantine/core';

/** The choice at log-in and sign-up of how long the session and the replica may live (D2). */
export function KeepSignedIn({
  isKept,
  change,
}: {
  isKept: boolean;
  change: (isKept: boolean) => void;
}) {
  return (
    <Checkbox
      label="Keep Me Signed in"
      description="Not on a shared device."
      checked={isKept}
      onChange={(event) => change(event.currentTarget.checked)}
    />
  );
}
