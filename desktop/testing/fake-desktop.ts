import { EventEmitter } from 'node:events';
import { book } from './fake-world.ts';

/** An item of a menu as it was written: without a machine's own ones, which a role stands for. */
export interface MenuItem {
  label?: string;
  role?: string;
  enabled?: boolean;
  click?: () => void;
  submenu?: MenuItem[];
}

/** Clicks an item as a person does; fails where there is none, or nothing happens. */
export function press(menu: readonly MenuItem[], label: string): void {
  const item = flat(menu).find((each) => each.label === label);
  if (!item) throw new Error(`The menu has no "${label}"`);
  if (item.enabled === false) throw new Error(`"${label}" is greyed out`);
  if (!item.click) throw new Error(`"${label}" does nothing`);
  item.click();
}

function flat(menu: readonly MenuItem[]): MenuItem[] {
  return menu.flatMap((item) => [item, ...flat(item.submenu ?? [])]);
}

export class FakeTray extends EventEmitter {
  tip = '';
  menu: MenuItem[] = [];

  constructor() {
    super();
    book.trays.push(this);
  }
  setToolTip = (tip: string): void => void (this.tip = tip);
  setContextMenu = (menu: MenuItem[]): void => void (this.menu = menu);
}

/** A notice of the system; `emit('click')` is the person's click. */
export class FakeNotice extends EventEmitter {
  readonly told: unknown;
  isShown = false;

  constructor(told: unknown) {
    super();
    this.told = told;
    book.notices.push(this);
  }
  static isSupported = (): boolean => true;
  show = (): void => void (this.isShown = true);
}
