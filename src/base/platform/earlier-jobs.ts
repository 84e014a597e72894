import { sql } from 'kysely';
import type { Db } from './db.ts';
import type { Logger } from './log/log.ts';
import { logFailure } from './log/outage.ts';
import { query } from './postgres/query.ts';
import { createWaker } from './wake.ts';

const MOVE = query(
  'jobs-move-earlier',
  (_db, _: object) => sql<{ moved: number | null }>`select move_earlier_jobs() as moved`,
  { computed: { moved: 'int8' } },
);

const PAUSE_MS = 1_000;

/**
 * Moves jobs from the tables of pg-boss, where processes of the version before put them, until it is stopped. Ends by
 * itself where these tables are missing.
 */
export function moveEarlierJobs(
  database: Db,
  log: Logger,
): {
  readonly ended: Promise<void>;
  stop(): Promise<void>;
} {
  const stopping = new AbortController();
  const waker = createWaker();
  const moving = (async () => {
    while (!stopping.signal.aborted) {
      let moved: number | null | undefined = 0;
      try {
        [{ moved } = { moved: 0 }] = await database.run(MOVE, {});
      } catch (error) {
        logFailure(log, error, 'earlier jobs not moved yet');
      }
      if (moved === null) return;
      if (moved === 0) await waker.sleep(PAUSE_MS, stopping.signal);
    }
  })();
  return {
    ended: moving,
    async stop() {
      stopping.abort();
      await moving;
    },
  };
}
