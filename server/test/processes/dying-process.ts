import type { KyselyPlugin } from 'kysely';
import type { CardGateway } from '#server/adapters/stripe/card-gateway.ts';
import type { Database } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';

/** `DIES_EVERY=1` lets a process die after each of its steps. */
export const DIES_EVERY = Number(process.env['DIES_EVERY'] ?? 5);

/** Thrown by every step of a process that has died; nothing it would still do has an effect. */
export class Died extends Error {
  override readonly name = 'Died';
}

/** Counts a process's steps: statements and transactions committed, and calls of the gateway. */
export class Lifetime {
  steps = 0;
  readonly #dieAfter: number;
  readonly #die: () => void;

  /** @param die how it dies, where its steps failing isn't enough */
  constructor(dieAfter = Infinity, die: () => void = () => undefined) {
    this.#dieAfter = dieAfter;
    this.#die = die;
  }

  isDead(): boolean {
    if (this.steps < this.#dieAfter) return false;
    this.#die();
    return true;
  }

  /** Takes a step; the process may die right after it, its answer unheard. */
  async step<T>(effect: () => Promise<T>): Promise<T> {
    if (this.isDead()) throw new Died();
    const result = await effect();
    this.steps += 1;
    if (this.isDead()) throw new Died();
    return result;
  }
}

/**
 * The dependencies of a process that dies after so many steps. Statements inside a transaction are
 * no steps: a process that dies there has done nothing.
 */
export function dyingDeps<D extends Deps>(deps: D, lifetime: Lifetime): D {
  return {
    ...deps,
    database: dyingDatabase(deps.database, lifetime),
    gateway: dyingGateway(deps.gateway, lifetime),
  };
}

function dyingDatabase(database: Database, lifetime: Lifetime): Database {
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      if (lifetime.isDead()) throw new Died();
      return node;
    },
    transformResult: ({ result }) => lifetime.step(() => Promise.resolve(result)),
  };
  return {
    ...database,
    db: database.db.withPlugin(plugin),
    transaction: (work) => lifetime.step(() => database.transaction(work)),
  };
}

function dyingGateway(gateway: CardGateway, lifetime: Lifetime): CardGateway {
  return {
    createCustomer: (request) => lifetime.step(() => gateway.createCustomer(request)),
    saveCard: (request) => lifetime.step(() => gateway.saveCard(request)),
    findCard: (request) => lifetime.step(() => gateway.findCard(request)),
    charge: (request) => lifetime.step(() => gateway.charge(request)),
    findCharge: (request) => lifetime.step(() => gateway.findCharge(request)),
    cancelCharge: (request) => lifetime.step(() => gateway.cancelCharge(request)),
    setUpCard: (request) => lifetime.step(() => gateway.setUpCard(request)),
    openCardPage: (request) => lifetime.step(() => gateway.openCardPage(request)),
    findSetUp: (request) => lifetime.step(() => gateway.findSetUp(request)),
    cancelSetUp: (request) => lifetime.step(() => gateway.cancelSetUp(request)),
    listCharges: (request) => lifetime.step(() => gateway.listCharges(request)),
    refund: (request) => lifetime.step(() => gateway.refund(request)),
    findRefund: (request) => lifetime.step(() => gateway.findRefund(request)),
    listRefunds: (request) => lifetime.step(() => gateway.listRefunds(request)),
    listDisputes: (request) => lifetime.step(() => gateway.listDisputes(request)),
    detachCards: (request) => lifetime.step(() => gateway.detachCards(request)),
    deleteCustomer: (request) => lifetime.step(() => gateway.deleteCustomer(request)),
  };
}

/**
 * A process does the work and dies after 0 steps and more, until one lives, each at a scene of its own.
 * @returns after how many steps that one would have died
 */
export async function dieEverywhere<D extends Deps, One>(
  deps: D,
  prepare: (n: number) => Promise<One>,
  work: (dying: D, one: One) => Promise<unknown>,
  check: (one: One, n: number) => Promise<void>,
): Promise<number> {
  for (let dieAfter = 0; ; dieAfter += DIES_EVERY) {
    const one = await prepare(dieAfter);
    const lifetime = new Lifetime(dieAfter);
    await work(dyingDeps(deps, lifetime), one).catch(() => undefined);
    const hasDied = lifetime.isDead();
    await check(one, dieAfter);
    if (!hasDied) return dieAfter;
  }
}
