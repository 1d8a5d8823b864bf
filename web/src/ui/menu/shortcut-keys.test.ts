import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test.each(['hover: none', 'pointer: coarse', 'max-width: 44rem'])(
  'a button shows no keys where there is most likely no keyboard (%s)',
  (device) => {
    const css = readFileSync(join(import.meta.dirname, 'shortcut-keys.module.css'), 'utf8');
    const [, devices] = /@media ([^{]+)\{\s*button \.keys \{\s*display: none;/.exec(css) ?? [];
    expect(devices).toContain(`(${device})`);
  },
);
