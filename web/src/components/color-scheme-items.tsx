import { type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core';

const SCHEMES: ReadonlyArray<readonly [MantineColorScheme, string]> = [
  ['auto', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];

/** The menu items that choose between light, dark and what the system says. */
export function ColorSchemeItems() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <>
      <Menu.Label>Colours</Menu.Label>
      {SCHEMES.map(([scheme, label]) => (
        <Menu.RadioItem
          key={scheme}
          value={scheme}
          checked={colorScheme === scheme}
          onChange={() => setColorScheme(scheme)}
        >
          {label}
        </Menu.RadioItem>
      ))}
    </>
  );
}
