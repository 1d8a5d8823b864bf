import { useState } from 'react';
import { chooseDensity, type Density, readDensity } from '#web/platform/density.ts';
import { useServices } from '#web/platform/services.ts';

const DENSITIES: ReadonlyArray<readonly [Density, string]> = [
  ['comfortable', 'Comfortable'],
  ['compact', 'Compact'],
];

/** How close the rows of tables stand, for this browser only. */
export function DensityChoice({
  legend,
  className,
}: {
  legend: string;
  className: string | undefined;
}) {
  const { platform } = useServices();
  const [density, setDensity] = useState(() => readDensity(platform));
  return (
    <fieldset className={className}>
      <legend className="text-1 font-550">{legend}</legend>
      {DENSITIES.map(([value, label]) => (
        <label key={value}>
          <input
            type="radio"
            name="density"
            checked={density === value}
            onChange={() => {
              chooseDensity(platform, value);
              setDensity(value);
            }}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
