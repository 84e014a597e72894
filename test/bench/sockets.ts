import { on } from 'node:events';
import { cpuOfProcess } from './cpu.ts';
import { type Environment, openShop } from './environment.ts';
import { command, openListeners, PATIENCE_MS, weighSockets } from './listener-process.ts';
import { startServer } from './programs.ts';
import { compareToLimit, median, weighed } from './rounds.ts';
import type { Line } from './table.ts';

/** What is measured of websockets that wait and of those that come back; each compares with a fixed limit. */
export const SOCKETS = {
  resume: { name: 'catching up 10,000 missed events by 1,000 sockets', against: '2 s', goal: 1 },
  idle: { name: 'memory of 10,000 idle sockets', against: '100 MiB', goal: 1 },
} as const;

const RESUMING = 1_000;
/** What each of them has missed. */
const MISSED = 10;
const RESUME_LIMIT_MS = 2_000;
const IDLE = 10_000;
const IDLE_LIMIT_MIB = 100;
const PATH = '/api/graphql';
/** The listeners count messages by this name. */
const STREAM = 'subscription { receiptStatuses(after: "0.0") { displayName: receiptId seq status cursor } }';

const initOf = (key: string) => JSON.stringify({ type: 'connection_init', payload: { 'x-api-key': key } });

/**
 * The time until a thousand sockets have connected to a server that has just started, and have received what they had
 * missed of their merchant's stream. The first event of each shows that its subscription works; the others are counted.
 */
export async function benchResuming(environment: Environment, rounds: number): Promise<Line> {
  const { key } = await openShop(environment, 51, MISSED);
  const hello = [initOf(key), JSON.stringify({ id: 'resumed', type: 'subscribe', payload: { query: STREAM } })];
  const tookMs: number[] = [];
  const serverUs: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const server = await startServer(environment.env);
    const clients = await openListeners(server, PATH, hello);
    try {
      await command(clients, { expect: RESUMING * (MISSED - 1), latencies: false });
      const cpuUs = cpuOfProcess(server.pid);
      const answers = on(clients, 'message', { signal: AbortSignal.timeout(PATIENCE_MS) });
      const begunMs = performance.now();
      clients.send({ open: RESUMING });
      await answers.next();
      await answers.next();
      tookMs.push(performance.now() - begunMs);
      serverUs.push((cpuOfProcess(server.pid) - cpuUs) / (RESUMING * MISSED));
    } finally {
      clients.disconnect();
      await server.stop();
    }
  }
  const { ours, ...result } = compareToLimit(tookMs, RESUME_LIMIT_MS, RESUMING * MISSED);
  return { ...SOCKETS.resume, ...result, ours: { ...ours, serverUs: median(serverUs) } };
}

/** What ten thousand sockets that are signed in and subscribe to nothing add to a server's resident memory. */
export async function benchIdleSockets(environment: Environment): Promise<Line> {
  const { key } = await openShop(environment, 52, 1);
  const server = await startServer(environment.env);
  const clients = await openListeners(server, PATH, [initOf(key)]);
  try {
    const { addedMiB } = await weighSockets(server, clients, IDLE);
    const name = `${SOCKETS.idle.name}: ${Math.round(addedMiB)} MiB`;
    return { ...SOCKETS.idle, name, ...weighed(IDLE_LIMIT_MIB / addedMiB) };
  } finally {
    clients.disconnect();
    await server.stop();
  }
}
