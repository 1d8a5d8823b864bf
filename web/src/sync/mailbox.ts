/** Letters wait until they are taken, all at once: while one is worked on, the next ones gather. */
export class Mailbox<Letter> {
  #letters: Letter[] = [];
  #arrived: (() => void) | undefined;

  put(letter: Letter): void {
    this.#letters.push(letter);
    this.#arrived?.();
  }

  /** Waits for at least one letter; none when aborted. */
  async takeAll(signal: AbortSignal): Promise<Letter[]> {
    if (this.#letters.length === 0 && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          signal.removeEventListener('abort', wake);
          resolve();
        };
        this.#arrived = wake;
        signal.addEventListener('abort', wake);
      });
    }
    return this.#letters.splice(0);
  }
}
