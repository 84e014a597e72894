/**
 * All that a process keeps in memory beside its connections, by what it is kept for. What is not in this list is kept
 * for one call, or belongs to the object that made it.
 */
const KEPT = {
  database: [
    'alarm: pauses',
    'alarm: search lag',
    'alarm: shops that take nothing',
    'API keys',
    'cross-checks of transfers',
    'dependencies’ state',
    'growth of the storage',
    'listeners of merchants’ versions',
    'listeners of sessions',
    'metrics server',
    'newest receipts',
    'pictures',
    'plain API keys',
    'prices and items of merchants',
    'searches of users',
    'sessions',
    'standstills of the watcher',
    'statistics',
    'uses of API keys',
    'uses of sessions',
    'writability of the database',
  ],
  chain: [
    'check of the tokens',
    'collections that are due',
    'factory of addresses',
    'fee oracle',
    'fees above the ceiling',
    'gas prices',
    'requested splits',
    'senders of the local chain',
    'signing domains of tokens',
    'state of the addresses',
    'test of the fee ceiling',
    'unknown finality tags',
  ],
  bus: ['board of live users', 'followers of log levels', 'live feeds', 'publisher of presence'],
  journal: ['answers to idempotency keys'],
  heartbeats: ['unwritten heartbeats'],
  log: ['alerts', 'loggers of components', 'outage of the database', 'whole logger'],
  settings: [
    'card provider',
    'CSRF tokens',
    'keys of payment links',
    'keys of sessions',
    'own origins',
    'secrets of endpoints',
    'spender contracts',
    'spender keys',
    'Stripe client',
    'verified tokens',
  ],
  model: ['pool of transactions', 'sizes of introspection'],
  operation: ['cursor variable', 'shared answers'],
  request: ['data loaders', 'reads of the request'],
} as const;

/** The name of something that is kept. */
export type KeptName = (typeof KEPT)[keyof typeof KEPT][number];

/** A part of the process that carries what is kept for it, so that a changed copy of the part keeps nothing twice. */
export interface Keeper {
  readonly kept: Map<KeptName, unknown>;
}

/** What is kept for values, such as the settings. A changed copy of a value keeps its own. */
const forValues = new WeakMap<object, Keeper['kept']>();

function keptFor(owner: object): Keeper['kept'] {
  const carried = (owner as Partial<Keeper>).kept ?? forValues.get(owner);
  if (carried) return carried;
  const made: Keeper['kept'] = new Map();
  forValues.set(owner, made);
  return made;
}

/**
 * Keeps one value for each owner, made on first use. The value lives as long as its owner.
 *
 * @example
 * const cacheOf = keptBy('statistics', (db: Db) => createCache((id) => load(db, id)));
 * cacheOf(db).get(id);
 */
export function keptBy<Owner extends object, Value>(
  name: KeptName,
  make: (owner: Owner) => Value,
): (owner: Owner) => Value {
  return (owner) => {
    const values = keptFor(owner);
    const known = values.get(name);
    if (known !== undefined) return known as Value;
    const made = make(owner);
    values.set(name, made);
    return made;
  };
}
