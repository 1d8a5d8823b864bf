import { TextInput, type TextInputProps } from '@mantine/core';
import { useId } from 'react';
import { zoneInWords } from '#shared/domain/time-zone.ts';

export const ZONES: readonly string[] = ['UTC', ...Intl.supportedValuesOf('timeZone')];

/** A time zone, found by its place ("New York") or its name; `findTimeZone` reads what was typed. */
export function ZoneInput(props: TextInputProps) {
  const zones = useId();
  return (
    <>
      <TextInput
        label="Time zone"
        name="timeZone"
        list={zones}
        autoComplete="off"
        spellCheck={false}
        {...props}
      />
      <datalist id={zones}>
        {ZONES.map((zone) => (
          <option key={zone} value={zone}>
            {zoneInWords(zone)}
          </option>
        ))}
      </datalist>
    </>
  );
}
