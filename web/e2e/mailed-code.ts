import { expect } from 'vitest';
import type { SandboxControl } from './sandbox-control.ts';

/** The newest code that was mailed to an address; waits for the mail. */
export async function mailedCode(sandbox: SandboxControl, email: string): Promise<string> {
  let code: string | undefined;
  await expect
    .poll(async () => {
      const mails = await sandbox.listMails(email);
      code = mails.map(({ text }) => /\b\d{6}\b/.exec(text)?.[0]).find(Boolean);
      return code;
    })
    .toBeDefined();
  return code ?? '';
}
