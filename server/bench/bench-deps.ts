import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGraphClient } from '#server/adapters/graph/graph-client.ts';
import { connect } from '#server/kit/db/connect.ts';
import type { OrderDeps } from '#server/delivery/automatic/automatic-orders.ts';
import type { DetectionDeps } from '#server/network/detection/detector.ts';
import { createLog } from '#server/kit/log.ts';
import { systemClock, systemIds, systemRandom } from '#server/main/system.ts';
import { plantDatabase } from '#test/databases/migrated-image.ts';
import { startPostgres } from '#test/databases/postgres-server.ts';
import { BUCKET, TOKEN } from './bare-loop.ts';

export const ENGINES = ['embedded', 'postgres'] as const;
export type Engine = (typeof ENGINES)[number];

/** What detection and the orders of new posts take. */
export type WorkerDeps = DetectionDeps & OrderDeps;

export interface BenchDeps {
  deps: WorkerDeps;
  close(): Promise<void>;
}

/** A worker's dependencies for real: an empty database of its own, and the network at `url`. */
export async function openBenchDeps(engine: Engine, url: string): Promise<BenchDeps> {
  const directory = await mkdtemp(join(tmpdir(), 'ovation-bench-'));
  const postgres = engine === 'postgres' ? await startPostgres([]) : undefined;
  const databaseUrl = postgres && `${postgres.baseUrl}/postgres`;
  if (engine === 'embedded') await plantDatabase(directory);
  const database = await connect({ databaseUrl, dataDir: directory }, () => undefined);
  const now = (): number => systemClock.now();
  const network = createGraphClient({
    graphUrl: `${url}/graph`,
    tokens: [{ igUserId: BUCKET, token: TOKEN }],
    now,
  });
  const log = createLog('warn', (line) => process.stderr.write(`${line}\n`), now);
  return {
    deps: {
      clock: systemClock,
      ids: systemIds,
      random: systemRandom,
      log,
      database,
      network,
      settings: { appSecret: 'secret of a bench' },
    },
    close: async () => {
      await network.close();
      await database.close();
      await postgres?.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
