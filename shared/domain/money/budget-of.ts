/** Whose a budget is: one account's, one client's, or, with neither, the whole workspace's. */
export interface BudgetOf {
  igUsername: string | null;
  clientName: string | null;
}

export const whoseBudget = ({ igUsername, clientName }: BudgetOf): string =>
  igUsername === null ? (clientName ?? 'this workspace') : `@${igUsername}`;
