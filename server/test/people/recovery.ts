import { openSecret } from '#server/kit/sealed-secret.ts';
import { RECOVERY_CODE_SEAL } from '#server/mail/compose-mail.ts';
import type { TestDeps } from '../test-deps.ts';

/** The code in the newest mail owed to anybody, as whoever reads that mail sees it. */
export async function newestCode(deps: TestDeps): Promise<string> {
  const rows = await deps.database.db
    .selectFrom('owed_mail')
    .select('payload')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  for (const { payload } of rows) {
    if (payload.kind !== 'recovery_code') continue;
    const { appSecret } = deps.settings;
    const code = openSecret(appSecret, RECOVERY_CODE_SEAL, payload.sealedCode);
    if (code !== undefined) return code;
  }
  throw new Error('No code is owed');
}

/** A code of six digits that isn't this one. */
export function wrongCodeFor(code: string, distance = 1): string {
  return String((Number(code) + distance) % 1_000_000).padStart(6, '0');
}
