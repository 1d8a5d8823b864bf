export function badRequest(message: string): Response {
  return Response.json({ error: 'input', message }, { status: 400 });
}

/** Undefined for anything that isn't JSON; the schemas then refuse it. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
