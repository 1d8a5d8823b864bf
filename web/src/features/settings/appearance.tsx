import { useMantineColorScheme } from '@mantine/core';
import { useState } from 'react';
import { chooseDensity, type Density, readDensity } from '#web/platform/density.ts';
import { useServices } from '#web/platform/services.ts';
import styles from './section.module.css';
import { Section } from './section.tsx';

const SCHEMES = [
  ['auto', 'Same as system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;
const DENSITIES: ReadonlyArray<readonly [Density, string]> = [
  ['comfortable', 'Comfortable'],
  ['compact', 'Compact'],
];

/** Colors and density, for this browser only. */
export function Appearance() {
  const { platform } = useServices();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [density, setDensity] = useState(() => readDensity(platform));
  const choose = (chosen: Density): void => {
    chooseDensity(platform, chosen);
    setDensity(chosen);
  };
  return (
    <Section part="appearance">
      <fieldset className={styles['choices']}>
        <legend>Colors</legend>
        {SCHEMES.map(([scheme, label]) => (
          <label key={scheme}>
            <input
              type="radio"
              name="scheme"
              checked={colorScheme === scheme}
              onChange={() => setColorScheme(scheme)}
            />
            {label}
          </label>
        ))}
      </fieldset>
      <fieldset className={styles['choices']}>
        <legend>Table density</legend>
        {DENSITIES.map(([value, label]) => (
          <label key={value}>
            <input
              type="radio"
              name="density"
              checked={density === value}
              onChange={() => choose(value)}
            />
            {label}
          </label>
        ))}
      </fieldset>
    </Section>
  );
}
