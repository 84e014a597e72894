import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { makeDataDir, type Program } from '../support/program.ts';
import { unpackDebian } from '../support/services/debian.ts';
import { mayMount } from '../support/small-disk.ts';

/** The data directory of a server on a file system of its own, which outlives the server. */
export interface Disk {
  readonly dataDir: string;
  /** The command that runs another one where the file system is mounted. */
  wrap(command: readonly string[]): readonly string[];
  /** Leaves no room for another byte; null where the user may not mount a file system. */
  readonly fill: (() => void) | null;
  free(): void;
}

/** Mounts 4 MiB in memory, in a namespace that one sleeping process keeps. */
export async function openDisk(): Promise<Disk> {
  const dataDir = makeDataDir();
  if (!(await mayMount())) return { dataDir, wrap: (command) => command, fill: null, free: () => {} };
  const script = `mount -t tmpfs -o size=4m tmpfs ${dataDir} && echo mounted && exec sleep infinity`;
  const args = ['--user', '--map-root-user', '--mount', 'sh', '-c', script];
  const keeper = spawn('unshare', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void keeper.kill('SIGKILL'));
  await once(keeper.stdout, 'data');
  const ballast = join('/proc', String(keeper.pid), 'root', dataDir, 'ballast');
  return {
    dataDir,
    wrap: (command) => ['nsenter', '-t', String(keeper.pid), '-U', '-m', '--preserve-credentials', ...command],
    fill() {
      for (const size of [64 << 10, 512, 1])
        try {
          for (;;) appendFileSync(ballast, Buffer.alloc(size));
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        }
    },
    free: () => rmSync(ballast, { force: true }),
  };
}

/** The clock of processes, which can be set while they run. */
export interface FakeClock {
  readonly env: Readonly<Record<string, string>>;
  /** Sets it this far ahead of the right time; processes notice within a second. */
  jump(seconds: number): void;
}

/** The clock by Debian's libfaketime; null where the package cannot be had. Timers go on as they are. */
export function openClock(): FakeClock | null {
  let library: string;
  try {
    const folder = join(unpackDebian('faketime', ['libfaketime']), 'usr/lib');
    const found = readdirSync(folder, { recursive: true }).find((name) => `${name}`.endsWith('libfaketimeMT.so.1'));
    library = join(folder, String(found));
  } catch {
    return null;
  }
  const folder = mkdtempSync(join(tmpdir(), 'quittance-clock-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'offset');
  const jump = (seconds: number) => writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}s\n`);
  jump(0);
  const env = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
  return { env, jump };
}

/** Runs a command with nothing of the test's environment; killed with the test. */
export function runCommand([file, ...args]: readonly string[], env: Readonly<Record<string, string>>): Program {
  const all = { PATH: process.env.PATH, HOME: process.env.HOME, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE };
  const child: ChildProcess = spawn(file!, args, {
    cwd: '/',
    env: { ...all, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-20_000);
  });
  const exit = once(child, 'close').then(([code, signal]) => ({ code, signal }));
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, stdout: () => '', stderr: () => stderr, exit };
}
