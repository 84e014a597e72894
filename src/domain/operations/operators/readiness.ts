import { sql } from 'kysely';
import { keptBy } from '../../../base/core/kept.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { answeredInTime, currentDependencies, type Dependencies } from './dependencies.ts';

/** Whether a part of the service works, and why or why not, in one sentence. */
interface Part {
  readonly ready: boolean;
  readonly reason: string;
}

/** The parts of the service that a shop depends on. */
export const READY_PARTS = ['orders', 'payments'] as const;
type ReadyPart = (typeof READY_PARTS)[number];
/** `orders`: they can be booked. `payments`: those on the chain are seen. */
type Readiness = Readonly<Record<ReadyPart, Part>>;

const WRITABLE = query(
  'database-writable',
  (db, _: object) => db.selectNoFrom(sql<boolean>`not current_setting('transaction_read_only')::bool`.as('writable')),
  { computed: { writable: 'bool' } },
);

/** How long a result is reused. */
const FRESH_MS = 1_000;

const writability = keptBy('writability of the database', (_db: Deps['db']) => {
  let last: Promise<boolean | null> | null = null;
  let readAt = 0;
  return (database: Deps['db']) => {
    const now = performance.now();
    if (last === null || now - readAt >= FRESH_MS) {
      readAt = now;
      last = answeredInTime(database.run(WRITABLE, {}).then(([row]) => row?.writable ?? false));
    }
    return last;
  };
});

/** Whether orders can be booked and payments are being seen. Checked at most once a second; resolves within 1.5 s. */
export async function currentReadiness(deps: Pick<Deps, 'db' | 'bus' | 'chains' | 'settings'>): Promise<Readiness> {
  const [dependencies, writable] = await Promise.all([currentDependencies(deps), writability(deps.db)(deps.db)]);
  return { orders: ordersPart(dependencies, writable), payments: paymentsPart(dependencies) };
}

function ordersPart({ database }: Dependencies, writable: boolean | null): Part {
  if (database === 'down' || writable === null)
    return { ready: false, reason: 'the database does not answer: orders wait in the journal' };
  if (!writable) return { ready: false, reason: 'the database is read-only: orders wait in the journal' };
  return { ready: true, reason: 'the database takes orders' };
}

/** Payments count as seen if they are seen on every chain. */
function paymentsPart({ database, chains }: Dependencies): Part {
  if (database === 'down') return { ready: false, reason: 'the database does not answer: payments are not recorded' };
  const of = ({ chainId }: { chainId: number }) => (chains.length > 1 ? ` of chain ${chainId}` : '');
  const away = chains.find(({ chain }) => chain === 'down');
  if (away)
    return {
      ready: false,
      reason: `no RPC endpoint${of(away) || ' of the chain'} answers: payments wait until one does`,
    };
  const behind = chains.find(({ watcher }) => watcher === 'down');
  if (behind) return { ready: false, reason: `the watcher${of(behind)} is behind: no worker runs, or it cannot read` };
  if (chains.every(({ watcher }) => watcher === 'off'))
    return { ready: true, reason: 'there is no split to watch yet' };
  return { ready: true, reason: 'the watcher keeps up with the chain' };
}
