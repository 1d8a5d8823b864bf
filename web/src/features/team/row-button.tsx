import { Button } from '@mantine/core';
import type { Ref } from 'react';

/** What can be done with a person or a client, read out with their name. */
export function RowButton({
  label,
  of,
  ref,
  onPress,
}: {
  label: string;
  of: string;
  ref?: Ref<HTMLButtonElement>;
  onPress: () => void;
}) {
  return (
    <Button ref={ref} variant="default" aria-label={`${label}: ${of}`} onClick={onPress}>
      {label}
    </Button>
  );
}
