import { useEffect, useRef } from 'react';
import { Outlet, useNavigate } from 'react-router-dom';

/** Around the public pages inside the app: their plain links change the page without loading it anew. */
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
    const element = root.current;
    element?.addEventListener('click', follow);
    return () => element?.removeEventListener('click', follow);
  }, [navigate]);
  return (
    <div ref={root}>
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
