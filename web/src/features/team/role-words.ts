import type { Role } from '#shared/domain/may.ts';

/** What each role may do, in one line. */
export const ROLE_NOTES: Readonly<Record<Role, string>> = {
  Owner: 'Everything, and decides who works here',
  Manager: 'Everything but the team: accounts, plans, credits and payments',
  Editor: 'Accounts and delivery settings, nothing that costs money',
  Viewer: 'Sees accounts, posts and orders, changes nothing',
};
