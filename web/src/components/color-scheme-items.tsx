import { Menu, useMantineColorScheme } from '@mantine/core';
import { CheckIcon } from './icons.tsx';

const SCHEMES = [
  ['auto', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

/** The menu items that choose between light, dark and what the system says. */
export function ColorSchemeItems() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <>
      <Menu.Label>Colours</Menu.Label>
      {SCHEMES.map(([scheme, label]) => (
        <Menu.Item
          key={scheme}
          role="menuitemradio"
          aria-checked={colorScheme === scheme}
          closeMenuOnClick={false}
          onClick={() => setColorScheme(scheme)}
          rightSection={colorScheme === scheme ? <CheckIcon /> : null}
        >
          {label}
        </Menu.Item>
      ))}
    </>
  );
}
