import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Command } from './listeners.ts';
import type { BenchProgram } from './programs.ts';

/** A lost message ends the run with an error. */
export const PATIENCE_MS = 60_000;
/** Sockets that are opened before memory is measured: with them comes the code. */
const WARM = 100;
const SETTLE_MS = 2_000;

/** Starts a process of sockets to a server. Each socket sends the messages of `hello` when it has opened. */
export async function openListeners(
  { port }: BenchProgram,
  path: string,
  hello: readonly string[],
): Promise<ChildProcess> {
  const child = fork(fileURLToPath(new URL('listeners.ts', import.meta.url)), {
    env: { PATH: process.env.PATH, PORT: String(port), SOCKET_PATH: path, HELLO: JSON.stringify(hello) },
  });
  await once(child, 'message');
  return child;
}

/** Sends a command to a process of listeners and waits for its answer. */
export async function command<T>(clients: ChildProcess, order: Command): Promise<T> {
  clients.send(order);
  return answerOf<T>(clients);
}

/** The next message of a process of listeners. */
export async function answerOf<T>(clients: ChildProcess): Promise<T> {
  const [answer] = await once(clients, 'message', { signal: AbortSignal.timeout(PATIENCE_MS) });
  return answer as T;
}

/** Opens so many sockets. The resident memory that they add to their server, without the first hundred. */
export async function weighSockets(
  server: BenchProgram,
  clients: ChildProcess,
  sockets: number,
): Promise<{ readonly addedMiB: number; readonly opened: number }> {
  await command(clients, { open: WARM });
  await setTimeout(SETTLE_MS);
  const before = server.memoryMiB();
  await command(clients, { open: sockets });
  await setTimeout(SETTLE_MS);
  return { addedMiB: server.memoryMiB() - before, opened: sockets - WARM };
}
