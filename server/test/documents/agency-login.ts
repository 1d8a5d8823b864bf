import type { DemoLogin } from '#server/main/start/demo-calls.ts';

/** The owner's log-in, out of what the start of an agency's demo has told. */
export function ownersLogin(told: string): DemoLogin {
  const [, email, password] = /^Owner +(\S+) +(\S+)$/m.exec(told) ?? [];
  if (email === undefined || password === undefined) throw new Error(`No owner in:\n${told}`);
  return { email, password };
}
