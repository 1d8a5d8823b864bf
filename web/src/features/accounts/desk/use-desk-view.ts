import { useMemo, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { AccountView } from '#shared/domain/accounts/account-view.ts';
import {
  addressOfView,
  type GridView,
  unreadFilters,
  type ViewField,
  viewOfAddress,
} from '#web/ui/grid/grid-view.ts';

const VIEW = 'view';

/** How the table is looked at; it stands in the address, with the name of the saved view it began as. */
export interface DeskView {
  view: GridView;
  /** The saved view that is open, and whether something was changed since. */
  open: AccountView | undefined;
  isChanged: boolean;
  /** What the address calls a view that isn’t there: its name, or its id. */
  missing: string | undefined;
  /** Filters of the address that can’t be read; what is changed here is written without them. */
  unread: readonly string[];
  /** What of the view isn’t as usual, as an address says it. */
  address: string;
  change: (changes: Partial<GridView>) => void;
  /** Opens a saved view as it was saved; undefined: all accounts. */
  openView: (saved: AccountView | undefined) => void;
}

export function useDeskView(
  fields: readonly ViewField[],
  usual: GridView,
  saved: readonly AccountView[],
): DeskView {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const read = (): GridView => viewOfAddress(stateIn(search, saved), fields, usual);
  /** The address as it was seen last, and those that were written here and are still on their way. */
  const [seen, setSeen] = useState(search);
  const [written, setWritten] = useState<readonly string[]>([]);
  const [view, setView] = useState(read);
  if (seen !== search) {
    setSeen(search);
    // Somebody went back, or followed a link.
    if (!written.includes(search)) setView(read());
    setWritten(written.slice(written.indexOf(search) + 1));
  }
  const open = openedIn(written.at(-1) ?? search, saved);
  // What the address names may become known later than the page.
  const [openId, setOpenId] = useState(open?.id);
  if (openId !== open?.id) {
    setOpenId(open?.id);
    if (openId === undefined && written.length === 0) setView(read());
  }
  const address = useMemo(() => addressOfView(view, usual), [view, usual]);
  const go = (next: GridView, said: string): void => {
    setView(next);
    if (said === (written.at(-1) ?? search)) return;
    setWritten([...written, said]);
    void navigate(pathname + said, { replace: true, preventScrollReset: true, flushSync: true });
  };
  return {
    view,
    open,
    missing: open ? undefined : (keyIn(written.at(-1) ?? search) ?? undefined),
    unread: unreadFilters(stateIn(written.at(-1) ?? search, saved), fields),
    isChanged: address !== (open ? normal(open.search, fields, usual) : ''),
    address,
    change: (changes) => {
      const next = { ...view, ...changes };
      go(next, withName(addressOfView(next, usual), open, { saved, fields, usual }));
    },
    openView: (chosen) => {
      const next = viewOfAddress(chosen?.search ?? '', fields, usual);
      go(next, chosen ? `?${new URLSearchParams({ [VIEW]: keyOf(chosen, saved) })}` : '');
    },
  };
}

const keyIn = (search: string): string | null => new URLSearchParams(search).get(VIEW);

function openedIn(search: string, saved: readonly AccountView[]): AccountView | undefined {
  const key = keyIn(search);
  return saved.find(({ id, name }) => key === name || key === id);
}

/** What an address calls it: its name, unless an own view and a shared one have the same. */
function keyOf({ id, name }: AccountView, saved: readonly AccountView[]): string {
  return saved.some((other) => other.id !== id && other.name === name) ? id : name;
}

/** What the address says beside the name; nothing: what was saved under the name. */
function stateIn(search: string, saved: readonly AccountView[]): string {
  const parameters = new URLSearchParams(search);
  parameters.delete(VIEW);
  return parameters.size > 0 ? `?${parameters}` : (openedIn(search, saved)?.search ?? '');
}

/** As it would be written today. */
const normal = (search: string, fields: readonly ViewField[], usual: GridView): string =>
  addressOfView(viewOfAddress(search, fields, usual), usual);

function withName(
  address: string,
  open: AccountView | undefined,
  {
    saved,
    fields,
    usual,
  }: { saved: readonly AccountView[]; fields: readonly ViewField[]; usual: GridView },
): string {
  // What says nothing would be taken for what was saved.
  if (!open || address === '') return address;
  const parameters = new URLSearchParams({ [VIEW]: keyOf(open, saved) });
  if (address !== normal(open.search, fields, usual)) {
    for (const [name, value] of new URLSearchParams(address)) parameters.append(name, value);
  }
  return `?${parameters}`;
}
