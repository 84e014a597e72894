import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { erasePostgresHome } from '../../src/base/platform/embedded/postgres-home.ts';
import { findFreePort } from '../../src/base/platform/embedded/process.ts';
import { stopServices } from '../../src/base/platform/embedded/services.ts';
import { type Call, caller } from './http.ts';

/** The file that runs a command of Quittance. */
export const launcher = join(import.meta.dirname, '../../src/app/cli/quittance.js');

/** A command of Quittance as a process of its own. */
export interface Program {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves when it has ended and its output is read. */
  readonly exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

export interface ProgramOptions {
  /** Its whole environment beside PATH, HOME and TMPDIR: nothing of the test run's comes in. */
  readonly env?: Readonly<Record<string, string>>;
  readonly user?: { readonly uid: number; readonly gid: number };
  /** The launcher of another checkout, and the Node that runs it. */
  readonly launcher?: string;
  readonly node?: string;
  /** When it must be gone; after the test unless a whole file uses it. */
  readonly atEnd?: AtEnd;
}

/** Takes what must be done at the end. */
export type AtEnd = (clean: () => void | Promise<void>) => void;

/** Runs `quittance …` as an operator does; killed with the test if it is still there. */
export function runQuittance(args: readonly string[], options: ProgramOptions = {}): Program {
  const child = spawn(options.node ?? process.execPath, [options.launcher ?? launcher, ...args], {
    cwd: '/',
    env: { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: process.env.TMPDIR, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options.user,
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  const exit = once(child, 'close').then(([code, signal]) => ({ code, signal }));
  (options.atEnd ?? onTestFinished)(() => void child.kill('SIGKILL'));
  return { child, stdout: () => output.stdout, stderr: () => output.stderr, exit };
}

/** A data directory of the test's own; what still runs for it at the end is ended, and all of it deleted. */
export function makeDataDir(atEnd: AtEnd = onTestFinished): string {
  const dataDir = realpathSync(mkdtempSync(join(tmpdir(), 'quittance-data-')));
  atEnd(async () => {
    await stopServices(dataDir);
    erasePostgresHome(dataDir);
    rmSync(dataDir, { recursive: true, force: true });
  });
  return dataDir;
}

/** Polls until there is an answer. Throws with the output of the program if it has exited. */
export async function until<T>(
  ask: () => T | null | undefined | false | Promise<T | null | undefined | false>,
  { timeoutMs = 120_000, program }: { timeoutMs?: number; program?: Program } = {},
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    const { exitCode } = program?.child ?? { exitCode: null };
    if (exitCode !== null) throw new Error(`It ended with ${exitCode}: ${program?.stderr()}`);
    if (performance.now() > deadline) throw new Error(`Not within ${timeoutMs} ms. ${program?.stderr() ?? ''}`);
    await pause(50);
  }
}

/** A started server with the demo merchant. */
export interface Started {
  readonly program: Program;
  readonly url: string;
  readonly call: Call;
  readonly merchant: string;
  readonly key: string;
  readonly auth: { readonly 'Ocp-Apim-Subscription-Key': string };
  readonly env: Readonly<Record<string, string>>;
  /** Ends it with a signal; how it ended, and after how long. */
  end(signal?: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null; afterMs: number }>;
}

/**
 * `quittance start`, until it has printed its walk; `env` must hold DATA_DIR. The same PORT again comes back at the
 * same address.
 */
export async function startQuittance(
  env: Readonly<Record<string, string>>,
  options: Omit<ProgramOptions, 'env'> = {},
): Promise<Started> {
  const full = { PORT: String(await findFreePort()), LOG_LEVEL: 'warn', RATE_LIMITS: 'off', ...env };
  const program = runQuittance(['start'], { ...options, env: full });
  const [, url, merchant, key] = await until(
    () => /running at (\S+)\s+Demo merchant\s+(\S+)\s+Demo key\s+(\S+)/.exec(program.stdout()),
    { program, timeoutMs: 180_000 },
  );
  return {
    program,
    url: url!,
    call: caller(url!, { documented: options.launcher === undefined }),
    merchant: merchant!,
    key: key!,
    auth: { 'Ocp-Apim-Subscription-Key': key! },
    env: full,
    async end(signal = 'SIGTERM') {
      const begun = performance.now();
      program.child.kill(signal);
      const ended = await program.exit;
      return { ...ended, afterMs: performance.now() - begun };
    },
  };
}

/** The processes whose command line names this text (a data directory). */
export function processesNaming(text: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return line.includes(text) ? [`${pid} ${line}`] : [];
      } catch {
        return [];
      }
    });
}
