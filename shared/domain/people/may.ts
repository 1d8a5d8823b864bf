/** What somebody may do in a workspace, the most first. Each may do all that those behind it may. */
export const ROLES = ['Owner', 'Manager', 'Editor', 'Viewer'] as const;
export type Role = (typeof ROLES)[number];

/** The least role for each thing that can be done. */
const LEAST = {
  /** What is a person's own: sessions, password, preferences, leaving, deleting oneself. */
  self: 'Viewer',
  /** Accounts, posts, orders, and who else works here. */
  read: 'Viewer',
  /** Connected accounts and how they are delivered to; nothing that costs anything. */
  edit: 'Editor',
  /** Accounts that the workspace doesn't have yet, by whatever name. */
  connect: 'Editor',
  /** Who the clients are, and which accounts are theirs. */
  clients: 'Manager',
  /** Views of the table of accounts that all of the workspace see. */
  share: 'Manager',
  /** Card, payments, credits, what is charged next, and the whole log of what was done. */
  readMoney: 'Manager',
  /** Plans, credits, cards, refunds. */
  spend: 'Manager',
  /** Invitations, roles, removal, handing over, and what the workspace may cost. */
  team: 'Owner',
} as const satisfies Record<string, Role>;
export type Action = keyof typeof LEAST;
export const ACTIONS = Object.keys(LEAST) as Action[];

/** Of single accounts, for which clients can be granted; the rest is the workspace's, and never granted. */
const OF_ACCOUNT: ReadonlySet<Action> = new Set(['read', 'edit']);
/** What everybody may who is in a workspace at all, whatever accounts they see. */
const OF_EVERYBODY: ReadonlySet<Action> = new Set(['self', 'read']);

/** Somebody in the workspace they act in. */
export interface Person {
  role: Role;
  /** Whether the role holds for every client; false: only what is granted is seen, and nothing of the workspace's money. */
  allClients: boolean;
  /** Roles for single clients, by the client's id. */
  grants?: Readonly<Record<string, Role>> | undefined;
}

/**
 * Whether somebody may do something in the workspace, or with one account of it. The right on an account is the
 * greater of membership, if it is for all clients, and grant. Money, team, and what is about accounts nobody has
 * chosen yet are of memberships for all clients alone: money names the accounts of all.
 */
export function may(
  person: Person,
  action: Action,
  account?: { clientId: string | null },
): boolean {
  const least = ROLES.indexOf(LEAST[action]);
  const has = (role: Role | undefined): boolean =>
    role !== undefined && ROLES.indexOf(role) <= least;
  const ofMembership = has(person.role) && person.allClients;
  if (!account) return ofMembership || OF_EVERYBODY.has(action);
  const granted = account.clientId === null ? undefined : person.grants?.[account.clientId];
  return ofMembership || (OF_ACCOUNT.has(action) && has(granted));
}

/** Whether there can be an account, or the workspace itself, for which they may. */
export function maySomewhere(person: Person, action: Action): boolean {
  const clients = Object.keys(person.grants ?? {});
  return may(person, action) || clients.some((clientId) => may(person, action, { clientId }));
}

/** Who may, in words: "Only an owner", "Only an owner or a manager". */
export function whoMay(action: Action): string {
  const roles = ROLES.slice(0, ROLES.indexOf(LEAST[action]) + 1).map(withArticle);
  const last = roles.pop() ?? '';
  return roles.length === 0 ? `Only ${last}` : `Only ${roles.join(', ')} or ${last}`;
}

/** "an owner", "a manager". */
export function withArticle(role: Role): string {
  return `${/^[AEIOU]/.test(role) ? 'an' : 'a'} ${role.toLowerCase()}`;
}
