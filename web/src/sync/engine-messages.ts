import type { EngineCommand, EngineEnd, EngineSettings } from './run-engine.ts';
import type { SyncStatus } from './sync-status.ts';

/** From a page to its worker. */
export type ToEngine =
  | { kind: 'start'; settings: EngineSettings }
  | { kind: 'command'; command: EngineCommand }
  | { kind: 'stop' };

/** From a worker to its page. */
export type FromEngine =
  | { kind: 'status'; status: SyncStatus }
  | { kind: 'report'; event: string; detail: string }
  | { kind: 'ended'; end: EngineEnd }
  /** It broke; another one may do better. */
  | { kind: 'broke'; detail: string };
