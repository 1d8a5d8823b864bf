import { lazy, type MouseEvent, type Ref, Suspense, useEffect, useRef, useState } from 'react';
import type { AccountView } from '#shared/domain/accounts/account-view.ts';
import { useMay } from '#web/customer/rights/use-may.ts';
import { isTeam } from '#web/customer/rights/user-may.ts';
import { useClientState, useServices } from '#web/platform/services.ts';
import { focusBeside } from '#web/ui/focus-beside.ts';
import { focusFirst, useSwapFocus } from '#web/ui/forms/use-swap-focus.ts';
import chips from '#web/ui/grid/chips.module.css';
import { CloseIcon } from '#web/ui/icons.tsx';
import { toastError, toastSuccess } from '#web/ui/toasts/toast.ts';
import styles from './desk.module.css';
import type { DeskView } from './use-desk-view.ts';
import { useViewChanges } from './use-views.ts';

/** Comes when something is named. */
const ViewName = lazy(async () => ({ default: (await import('./view-name.tsx')).ViewName }));

interface ViewBarProps extends Pick<
  DeskView,
  'open' | 'isChanged' | 'missing' | 'address' | 'openView'
> {
  saved: readonly AccountView[];
}

/** The views that were saved, which one is open, and whether something of it was changed. */
export function ViewBar({ saved, open, isChanged, missing, address, openView }: ViewBarProps) {
  const { save, remove } = useViewChanges(saved);
  const { platform } = useServices();
  // What a customer alone saves is only theirs.
  const hasTeam = useClientState(({ user }) => isTeam(user));
  const mayShare = useMay('share');
  const [asked, setAsked] = useState<'new' | 'rename' | 'remove'>();
  const backTo = useSwapFocus(asked === 'remove' ? open?.id : asked);
  const list = useRef<HTMLUListElement>(null);
  /** Is being saved, and is opened as soon as it is among the views. */
  const kept = useRef<AccountView>(undefined);
  useEffect(() => {
    const view = kept.current;
    if (!view || !saved.some((each) => isSame(each, view))) return;
    kept.current = undefined;
    focusChip(list.current, view);
    openView(view);
  }, [saved, openView]);
  if (saved.length === 0 && !isChanged && missing === undefined) return null;
  const isTheirs = (view: AccountView): boolean => !view.isShared || mayShare;

  const keep = async (view: AccountView): Promise<string | undefined> => {
    kept.current = view;
    const refusal = await save(view);
    if (refusal !== undefined) kept.current = undefined;
    return refusal;
  };
  const say = async (refused: Promise<string | undefined>, done?: string): Promise<void> => {
    const refusal = await refused;
    if (refusal !== undefined) toastError(refusal);
    else if (done !== undefined) toastSuccess(done);
  };
  const removeNow = (view: AccountView): void => {
    setAsked(undefined);
    if (view === open) openView(undefined);
    void say(remove(view));
  };
  const share = (view: AccountView): void => {
    const { name, isShared } = view;
    const done = isShared ? `“${name}” is now only yours.` : `“${name}” is now shared.`;
    void say(save({ ...view, isShared: !isShared }), done);
  };
  return (
    <div className={styles['views']}>
      <ul ref={list} className={chips['chips']} aria-label="Views">
        <li className={chips['chip']} data-picked={!open || undefined}>
          <button type="button" aria-pressed={!open} onClick={() => openView(undefined)}>
            All accounts
          </button>
        </li>
        {saved.map((view) => (
          <li
            key={view.id}
            className={chips['chip']}
            data-view={view.id}
            data-picked={view === open || undefined}
          >
            <button
              type="button"
              dir="auto"
              aria-pressed={view === open}
              onClick={() => {
                setAsked(undefined);
                openView(view);
              }}
            >
              {view.name}
              {view.isShared && <span className="c-soft"> (shared)</span>}
            </button>
            {isTheirs(view) && (
              <button
                ref={backTo(view.id)}
                type="button"
                aria-label={`Remove the view ${view.name}`}
                onClick={(event) => {
                  if (view.isShared) {
                    openView(view);
                    setAsked('remove');
                    return;
                  }
                  focusBeside(event.currentTarget);
                  removeNow(view);
                }}
              >
                <CloseIcon />
              </button>
            )}
          </li>
        ))}
      </ul>
      {missing !== undefined && (
        <p className={styles['changed']} role="status">
          {missingInWords(missing)}
        </p>
      )}
      {asked === undefined && (
        <p className={styles['changed']}>
          {isChanged && <span role="status">{open ? 'Unsaved changes' : 'Not saved'}</span>}
          {isChanged && open && isTheirs(open) && (
            <Quiet
              onPress={() =>
                void say(
                  keep({ ...open, search: address }),
                  open.isShared ? `“${open.name}” is changed for everyone.` : undefined,
                )
              }
            >
              {open.isShared ? `Save to “${open.name}” for everyone` : `Save to “${open.name}”`}
            </Quiet>
          )}
          {isChanged && open && (
            <Quiet
              onPress={() => {
                focusChip(list.current, open);
                openView(open);
              }}
            >
              Undo changes
            </Quiet>
          )}
          {isChanged && (
            <Quiet ref={backTo('new')} onPress={() => setAsked('new')}>
              Save as a view
            </Quiet>
          )}
          {!isChanged && open && isTheirs(open) && (
            <>
              <Quiet ref={backTo('rename')} onPress={() => setAsked('rename')}>
                Rename
              </Quiet>
              {hasTeam && mayShare && (
                <Quiet onPress={() => share(open)}>
                  {open.isShared ? 'Stop sharing' : 'Share with the workspace'}
                </Quiet>
              )}
            </>
          )}
        </p>
      )}
      <Suspense>
        {asked === 'new' && (
          <ViewName
            canShare={hasTeam && mayShare}
            onSave={(named) => keep({ ...named, id: platform.newId(), search: address })}
            onDone={() => setAsked(undefined)}
          />
        )}
        {asked === 'rename' && open && (
          <ViewName
            key={open.id}
            view={open}
            canShare={false}
            onSave={({ name }) => keep({ ...open, name })}
            onDone={() => setAsked(undefined)}
          />
        )}
      </Suspense>
      {asked === 'remove' && open && (
        <p ref={focusFirst} className={styles['changed']} role="status">
          Remove “{open.name}” for everyone in this workspace?
          <Quiet
            onPress={(event) => {
              focusBeside(event.currentTarget);
              removeNow(open);
            }}
          >
            Remove for everyone
          </Quiet>
          <Quiet onPress={() => setAsked(undefined)}>Keep it</Quiet>
        </p>
      )}
    </div>
  );
}

/** An id says nothing to anybody. */
function missingInWords(key: string): string {
  const view = /^[\da-f-]{36}$/.test(key) ? 'The view of this address' : `The view “${key}”`;
  return `${view} is no longer there, so its filters aren’t applied.`;
}

const isSame = (one: AccountView, other: AccountView): boolean =>
  one.id === other.id && one.name === other.name && one.search === other.search;

/** What was pressed beside the views is about to go: the focus moves to the view it was about. */
function focusChip(list: HTMLElement | null, { id }: AccountView): void {
  list?.querySelector<HTMLElement>(`[data-view="${id}"] button`)?.focus();
}

function Quiet({
  children,
  ref,
  onPress,
}: {
  children: string;
  ref?: Ref<HTMLButtonElement>;
  onPress: (event: MouseEvent<HTMLElement>) => void;
}) {
  return (
    <button ref={ref} type="button" className={chips['quiet']} onClick={onPress}>
      {children}
    </button>
  );
}
