import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  Partition,
  PicturePartition,
  PictureStorage,
} from '#shared/pictures/picture-cache.ts';

/**
 * Pictures on disk, for a window whose own scheme no browser cache takes. Where the disk fails to clear
 * them, none is shown until that was done.
 */
export function openPictureFolder(
  directory: string,
  remove: (folder: string) => Promise<void> = removeFolder,
): PictureStorage {
  const partitions = new Map<Partition, Promise<PicturePartition>>();
  let writes = new FolderWrites();
  let cleared = Promise.resolve();
  const clear = (): Promise<void> => {
    const ended = Promise.allSettled([cleared, writes.end(), ...partitions.values()]);
    partitions.clear();
    writes = new FolderWrites();
    cleared = ended.then(() => remove(directory));
    return cleared;
  };
  const untilCleared = async (): Promise<void> => {
    const last = cleared;
    await last.catch(() => (cleared === last ? clear() : cleared));
    if (cleared !== last) await untilCleared();
  };
  return {
    open: async (partition) => {
      await untilCleared();
      const known = partitions.get(partition) ?? openPartition(join(directory, partition), writes);
      partitions.set(partition, known);
      // What the disk refuses once it may allow the next time.
      known.catch(() => partitions.get(partition) === known && partitions.delete(partition));
      return known;
    },
    clear,
  };
}

/** What is written between two clearings. */
class FolderWrites {
  readonly #running = new Set<Promise<void>>();
  #isOver = false;

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Does nothing once it is over. */
  async run(write: () => Promise<void>): Promise<void> {
    if (this.#isOver) return;
    const running = write();
    this.#running.add(running);
    try {
      await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Resolves when nothing is being written any more; nothing is from then on. */
  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.allSettled(this.#running);
  }
}

/** A picture that is being written or read this moment is waited for. */
async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

const KEPT_HEADERS = ['content-type', 'date', 'etag'];

/** One file a picture: a line of headers, then its bytes. In the order of writing, as Cache Storage has it. */
async function openPartition(directory: string, writes: FolderWrites): Promise<PicturePartition> {
  await mkdir(directory, { recursive: true });
  const names = new Set(await namesByAge(directory));
  const read = async (name: string): Promise<Response | undefined> => {
    try {
      const bytes = await readFile(join(directory, name));
      const end = bytes.indexOf('\n');
      const headers = JSON.parse(bytes.toString('utf8', 0, end)) as Record<string, string>;
      return new Response(new Uint8Array(bytes.subarray(end + 1)), { headers });
    } catch {
      // Somebody cleared the folder, or the disk lost it.
      names.delete(name);
      return undefined;
    }
  };
  return {
    match: async (request, options) => {
      const wanted = nameOf(request);
      if (wanted === undefined || writes.isOver) return undefined;
      if (names.has(wanted)) return read(wanted);
      if (!options?.ignoreSearch) return undefined;
      const other = [...names].find((name) => pictureOf(name) === pictureOf(wanted));
      return other === undefined ? undefined : read(other);
    },
    put: async (request, response) => {
      const name = nameOf(request);
      if (name === undefined) throw new TypeError('Only pictures are kept here');
      const headers = KEPT_HEADERS.flatMap((each) => {
        const value = response.headers.get(each);
        return value === null ? [] : [[each, value]];
      });
      const head = `${JSON.stringify(Object.fromEntries(headers))}\n`;
      const bytes = Buffer.concat([Buffer.from(head), Buffer.from(await response.arrayBuffer())]);
      const file = join(directory, name);
      await writes.run(async () => {
        // Whole or not at all, whenever the app ends.
        await writeFile(file + UNFINISHED, bytes, { mode: 0o600 });
        await rename(file + UNFINISHED, file);
        names.delete(name);
        names.add(name);
      });
    },
    delete: async (request) => {
      const name = nameOf(request);
      if (name === undefined || !names.delete(name)) return false;
      await writes.run(() => rm(join(directory, name), { force: true }));
      return true;
    },
    keys: async () => (writes.isOver ? [] : [...names].map((name) => new Request(addressOf(name)))),
  };
}

const UNFINISHED = '.part';
const ORIGIN = 'app://ovation';

async function namesByAge(directory: string): Promise<string[]> {
  const aged: Array<[name: string, writtenAtMs: number]> = [];
  for (const name of await readdir(directory)) {
    if (NAME.test(name)) aged.push([name, (await stat(join(directory, name))).mtimeMs]);
    else await rm(join(directory, name), { recursive: true, force: true });
  }
  return aged.sort(([, a], [, b]) => a - b).map(([name]) => name);
}

/** What a picture's path may be, so that no other place on the disk can be named: `id~width`. */
const NAME = /^[\w-]{1,220}(~\d{1,4})?$/;

function nameOf(request: RequestInfo | URL): string | undefined {
  const { pathname, searchParams } = new URL(request instanceof Request ? request.url : request);
  const width = searchParams.get('w');
  const name = pathname.slice('/proxy/'.length) + (width === null ? '' : `~${width}`);
  return pathname.startsWith('/proxy/') && NAME.test(name) ? name : undefined;
}

const pictureOf = (name: string): string => name.split('~')[0] ?? '';

function addressOf(name: string): string {
  const [picture, width] = name.split('~');
  return `${ORIGIN}/proxy/${picture}${width === undefined ? '' : `?w=${width}`}`;
}
