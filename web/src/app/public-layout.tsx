import { useEffect, useRef } from 'react';
import { Outlet, useNavigate } from 'react-router-dom';

/** Around the public pages inside the app: their plain links and forms change the page without loading it anew. */
export function PublicLayout() {
  const root = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  useEffect(() => {
    const follow = (event: MouseEvent): void => {
      const path = event.defaultPrevented ? undefined : plainPath(event);
      if (path === undefined) return;
      event.preventDefault();
      void navigate(path);
    };
    const send = (event: SubmitEvent): void => {
      const path = event.defaultPrevented ? undefined : pathOfForm(event.target);
      if (path === undefined) return;
      event.preventDefault();
      void navigate(path);
    };
    const element = root.current;
    element?.addEventListener('click', follow);
    element?.addEventListener('submit', send);
    return () => {
      element?.removeEventListener('click', follow);
      element?.removeEventListener('submit', send);
    };
  }, [navigate]);
  return (
    <div ref={root} data-makes-room="whole">
      <Outlet />
    </div>
  );
}

/** Where an ordinary click on a link to another page of ours leads. */
function plainPath(event: MouseEvent): string | undefined {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return undefined;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const href = link?.getAttribute('href') ?? '';
  return href.startsWith('/') && link?.target === '' ? href : undefined;
}

/** Where a form that only leads to another page of ours leads, with what it holds. */
function pathOfForm(form: EventTarget | null): string | undefined {
  if (!(form instanceof HTMLFormElement)) return undefined;
  const path = form.getAttribute('action') ?? '';
  if (!path.startsWith('/') || form.method !== 'get') return undefined;
  const held = [...new FormData(form)].filter(
    (field): field is [string, string] => typeof field[1] === 'string',
  );
  return `${path}?${new URLSearchParams(held)}`;
}
