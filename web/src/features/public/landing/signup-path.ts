/** The way to sign-up with what the visitor has chosen already. */
export function signupPath(
  signup: string,
  chosen: { package?: number; igUsername?: string },
): string {
  const parameters = new URLSearchParams();
  if (chosen.package !== undefined) parameters.set('package', String(chosen.package));
  if (chosen.igUsername) parameters.set('igUsername', chosen.igUsername);
  return parameters.size === 0 ? signup : `${signup}?${parameters}`;
}
