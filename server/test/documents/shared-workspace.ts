import {
  type LargeWorkspace,
  SHARED_WORKSPACE,
  startLargeWorkspace,
  tellWorkspace,
} from '../../../web/e2e/large-workspace.ts';

/** As few as their figures can be measured with. */
const SIZE = { accounts: 20, posts: 200, minutesApart: 617, postsPerOrder: 20 };

/** A large workspace for several processes: it starts with the first, and ends with the last. */
export class SharedWorkspace {
  #started: Promise<LargeWorkspace> | undefined;
  #left: number;

  constructor(users: number) {
    this.#left = users;
  }

  /** @param work is given what the process has in its environment */
  async use<T>(
    postgresUrl: string,
    work: (environment: Record<string, string>) => Promise<T>,
  ): Promise<T> {
    this.#started ??= startLargeWorkspace('bench.short', SIZE, postgresUrl);
    const workspace = await this.#started;
    try {
      return await work({ [SHARED_WORKSPACE]: tellWorkspace(workspace) });
    } finally {
      this.#left -= 1;
      if (this.#left === 0) await workspace.product.stop();
    }
  }
}
