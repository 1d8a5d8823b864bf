/**
 * The whole lines of a body as they arrive, several at a time, without their line ends. A last line
 * without an end is left out: it was cut. A broken connection ends the lines like the body's end, and
 * so does one that brings nothing for `silenceMs` while somebody waits for its lines.
 */
export async function* textLines(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  silenceMs?: number,
): AsyncGenerator<string[]> {
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', cancel);
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const timer = silenceMs === undefined ? undefined : setTimeout(cancel, silenceMs);
      const { done, value } = await reader.read().catch(() => BROKEN);
      clearTimeout(timer);
      if (done || signal.aborted) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      if (lines.length > 0) yield lines;
    }
  } finally {
    signal.removeEventListener('abort', cancel);
    cancel();
  }
}

const BROKEN = { done: true, value: undefined } as const;
