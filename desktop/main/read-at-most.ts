/**
 * The text of an answer; undefined when it is longer than the limit, of which no more is read. Rejects
 * with the signal's reason when that comes first, whether or not the body knows of it.
 */
export async function readAtMost(
  answer: Response,
  limitBytes: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  const reader = answer.body?.getReader();
  if (!reader) return '';
  const letGo = (): void => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', letGo, { once: true });
  try {
    const decoder = new TextDecoder();
    let text = '';
    let readBytes = 0;
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return text + decoder.decode();
      readBytes += value.length;
      if (readBytes > limitBytes) return undefined;
      text += decoder.decode(value, { stream: true });
    }
  } finally {
    signal.removeEventListener('abort', letGo);
    letGo();
  }
}
