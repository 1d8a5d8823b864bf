/** Both drivers put the SQLSTATE into `code` and the violated constraint's name into `constraint`. */
function sqlState(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}

/** Whether a unique constraint or index was violated; of that name, when one is given. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (sqlState(error) !== '23505') return false;
  if (constraint === undefined) return true;
  return error instanceof Error && 'constraint' in error && error.constraint === constraint;
}

/** Deadlock or serialisation failure: the same transaction may succeed when run again. */
export function isDeadlock(error: unknown): boolean {
  const state = sqlState(error);
  return state === '40P01' || state === '40001';
}

/** Whether the database's user may not do what was asked. */
export function isForbidden(error: unknown): boolean {
  return sqlState(error) === '42501';
}
