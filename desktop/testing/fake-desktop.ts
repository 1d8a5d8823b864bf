import { EventEmitter } from 'node:events';
import type { MenuItemConstructorOptions, Notification } from 'electron';
import type { ShownNotice } from '../main/requests.ts';
import { record } from './fake-world.ts';

/** An item of a menu as it was written: without a machine's own ones, which a role stands for. */
export type MenuItem = MenuItemConstructorOptions;

/** Clicks an item as a person does; fails where there is none, or nothing happens. */
export function press(menu: readonly MenuItem[], label: string): void {
  const item = flat(menu).find((each) => each.label === label);
  if (!item) throw new Error(`The menu has no "${label}"`);
  if (item.enabled === false) throw new Error(`"${label}" is greyed out`);
  if (!item.click) throw new Error(`"${label}" does nothing`);
  // Items of ours ignore what Electron hands to a click.
  (item.click as () => void)();
}

function flat(menu: readonly MenuItem[]): MenuItem[] {
  return menu.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? flat(item.submenu) : [])]);
}

export class FakeTray extends EventEmitter {
  image: unknown;
  tip = '';
  menu: MenuItem[] = [];

  constructor(image: unknown) {
    super();
    this.image = image;
    record.trays.push(this);
  }
  setToolTip = (tip: string): void => void (this.tip = tip);
  setImage = (image: unknown): void => void (this.image = image);
  setContextMenu = (menu: unknown): void => void (this.menu = menu as MenuItem[]);
}

/** A notice of the system; `emit('click')` is the person's click. */
export class FakeNotice implements ShownNotice {
  readonly told: unknown;
  isShown = false;
  readonly #events = new EventEmitter();

  constructor(told: unknown) {
    this.told = told;
    record.notices.push(this);
  }
  static isSupported = (): boolean => true;
  readonly on = ((event: string, listener: () => void): unknown =>
    this.#events.on(event, listener)) as Notification['on'];
  emit = (event: string, ...details: unknown[]): boolean => this.#events.emit(event, ...details);
  show = (): void => void (this.isShown = true);
}
