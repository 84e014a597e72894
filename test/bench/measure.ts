import { cpuOfFamily, cpuOfProcess } from './cpu.ts';
import type { Round } from './rounds.ts';
import { type Load, runWrk } from './wrk.ts';

/** One server under load. */
export interface Contestant {
  readonly pid: number;
  /** A process between server and database, whose CPU time counts as the server's. */
  readonly between?: number;
  readonly load: Load;
  /** A change of the data. It happens once for every ten requests. */
  readonly change?: () => Promise<unknown>;
}

/** How a contestant is measured. */
export interface Measuring {
  readonly seconds: number;
  /** The main process of PostgreSQL. */
  readonly databasePid: number;
}

const WARM_UP_SECONDS = 1;
const REQUESTS_A_CHANGE = 10;
const TICK_MS = 5;

/**
 * Prepares the rounds of a contestant: loads it once uncounted, so that its code is compiled and its caches are filled.
 * Changes are paced by the rate of the round before.
 */
export async function contestant(
  { pid, between, load, change }: Contestant,
  { seconds, databasePid }: Measuring,
): Promise<() => Promise<Round>> {
  const cpu = () => cpuOfProcess(pid) + (between === undefined ? 0 : cpuOfProcess(between));
  let { perSecond } = await runWrk(load, WARM_UP_SECONDS);
  return async () => {
    const stopChanges = change ? repeat(change, perSecond / REQUESTS_A_CHANGE) : async () => {};
    const before = { server: cpu(), database: cpuOfFamily(databasePid) };
    const result = await runWrk(load, seconds);
    const serverUs = (cpu() - before.server) / result.requests;
    const databaseUs = (cpuOfFamily(databasePid) - before.database) / result.requests;
    await stopChanges();
    perSecond = result.perSecond;
    return { ...result, serverUs, databaseUs };
  };
}

/** Repeats some work at a rate until it is stopped; one at a time. */
function repeat(work: () => Promise<unknown>, perSecond: number): () => Promise<void> {
  const startMs = performance.now();
  let begun = 0;
  let running = Promise.resolve<unknown>(undefined);
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startMs) * perSecond) / 1000);
    for (; begun < due; begun++) running = running.then(work);
  }, TICK_MS);
  return async () => {
    clearInterval(timer);
    await running;
  };
}
