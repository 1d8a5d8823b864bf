/** Views of one list, their own or the shared ones: more would be a list to search. */
const VIEWS_LIMIT = 20;
export const VIEW_NAME_LENGTH = 40;
/** As an address says it. */
export const VIEW_SEARCH_LENGTH = 1000;

/** How somebody looks at the table of accounts, under a name. */
export interface AccountView {
  id: string;
  name: string;
  /** As an address says it: `?sort=-next`. */
  search: string;
  /** Whether all see it who work for all clients. */
  isShared: boolean;
}

type Refusal = { code: 'view_exists' | 'too_many_views'; message: string };

export function nameTaken({ name, isShared }: AccountView): string {
  const whose = isShared ? 'There is already a shared view' : 'You already have a view';
  return `${whose} called “${name}”.`;
}

/** Why it can’t be kept beside the others; undefined: it can. */
export function viewRefusal(view: AccountView, views: readonly AccountView[]): Refusal | undefined {
  const beside = views.filter(({ id, isShared }) => id !== view.id && isShared === view.isShared);
  const isSame = ({ name }: AccountView): boolean => name.toLowerCase() === view.name.toLowerCase();
  if (beside.some(isSame)) return { code: 'view_exists', message: nameTaken(view) };
  if (beside.length < VIEWS_LIMIT) return undefined;
  const full = view.isShared ? 'This workspace has' : 'You have';
  const kind = view.isShared ? 'shared views' : 'views';
  return { code: 'too_many_views', message: `${full} ${VIEWS_LIMIT} ${kind}. Remove one first.` };
}

/** In the order in which they are shown: shared ones first, each by name. */
export const byViewOrder = (a: AccountView, b: AccountView): number =>
  Number(b.isShared) - Number(a.isShared) || a.name.localeCompare(b.name, 'en-US');
