import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Identifies a process beyond its pid, which may be reused: by the boot id and its start time in clock ticks. */
export interface ProcessMark {
  pid: number;
  startTicks: string;
  bootId: string;
}

export interface DetachedCommand {
  file: string;
  args: string[];
  cwd: string;
  /** Standard output and standard error are appended here. The file is opened by the caller's user. */
  logFile: string;
  env?: Record<string, string>;
  /** The user to run as, when the caller is root. */
  user?: { uid: number; gid: number };
}

/** One step of ending a process: the signal, and how long to wait for the exit. */
export type EndStep = [signal: NodeJS.Signals, waitMs: number];

/** Starts a program in a new session. It outlives the caller and does not receive the terminal's signals. */
export async function spawnDetached(command: DetachedCommand): Promise<ProcessMark> {
  const log = openSync(command.logFile, 'a', 0o600);
  try {
    const child = spawn(command.file, command.args, {
      cwd: command.cwd,
      detached: true,
      stdio: ['ignore', log, log],
      env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LANG: 'C', ...command.env },
      ...command.user,
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    child.unref();
    const mark = markProcess(child.pid!);
    if (!mark) throw new Error(`${command.file} exited at once; see ${command.logFile}`);
    return mark;
  } finally {
    closeSync(log);
  }
}

/** The mark of a running process; undefined if there is none, or if it is a zombie. */
export function markProcess(pid: number): ProcessMark | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command's name may contain spaces and parentheses, so the fields are counted from its end.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // The first thread may end before the others, which keep the ports open.
    const ended = state === 'Z' || state === 'X';
    if (ended && readdirSync(`/proc/${pid}/task`).length <= 1) return undefined;
    return { pid, startTicks: fields[18]!, bootId: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() };
  } catch {
    return undefined;
  }
}

/** Whether the marked process, and not another one with its pid, is running. */
export function isRunning(mark: ProcessMark): boolean {
  const now = markProcess(mark.pid);
  return now !== undefined && now.startTicks === mark.startTicks && now.bootId === mark.bootId;
}

/**
 * Ends a marked process, step by step until it has exited. Resolves to the signal that ended it; undefined if it was
 * not running.
 */
export async function endProcess(mark: ProcessMark, steps: EndStep[]): Promise<NodeJS.Signals | undefined> {
  for (const [signal, waitMs] of steps) {
    if (!isRunning(mark)) return undefined;
    try {
      process.kill(mark.pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return undefined;
      throw error;
    }
    if (await waitUntil(() => !isRunning(mark), waitMs)) return signal;
  }
  throw new Error(`process ${mark.pid} does not exit`);
}

/** The pids of the processes with this working directory, among those that the caller may inspect. */
export function processesIn(directory: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === directory;
      } catch {
        return false;
      }
    });
}

/** Polls until `check` is true. False after `timeoutMs`. */
export async function waitUntil(check: () => boolean | Promise<boolean>, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    if (await check()) return true;
    if (performance.now() >= deadline) return false;
    await sleep(20);
  }
}

/**
 * Whether no process listens on a loopback TCP port. Another process may take it before it is used, so callers must
 * retry.
 */
export function isFreePort(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/**
 * A random loopback TCP port that is free now. It is below Linux's default range for outgoing connections (32768 and
 * up), so that no outgoing connection takes it between two starts.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_768);
    if (await isFreePort(port)) return port;
  }
}
