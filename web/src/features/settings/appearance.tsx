import { useMantineColorScheme } from '@mantine/core';
import { DensityChoice } from '#web/customer/density-choice.tsx';
import styles from './section.module.css';
import { Section } from './section.tsx';

const SCHEMES = [
  ['auto', 'Same as system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

/** Colors and density, for this browser only. */
export function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Section part="appearance">
      <fieldset className={styles['choices']}>
        <legend className="text-1 font-550">Colors</legend>
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
      <DensityChoice legend="Table density" className={styles['choices']} />
    </Section>
  );
}
