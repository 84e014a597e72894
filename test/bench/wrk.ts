import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { environmentOf, unpackDebian } from '../support/services/debian.ts';
import { findProgram, type Program } from '../support/services/programs.ts';
import { cpuOfEndedChildren } from './cpu.ts';

/** The load on one server. */
export interface Load {
  readonly port: number;
  /** Keep-alive connections, each with one request at a time. */
  readonly connections: number;
  /** The next request, as its bytes are sent. */
  readonly next: () => Buffer;
}

/** The result of one load. Times in milliseconds. */
export interface LoadResult {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Responses with a status of 400 or above, and requests without a response. */
  readonly refused: number;
  /** The share of one core that the generator used. Close to 1, the generator limits the result. */
  readonly generatorShare: number;
}

/** Requests are generated before the load, so that their generation costs nothing meanwhile. */
const REQUESTS = 2_000;
const SCRIPT = fileURLToPath(new URL('wrk.lua', import.meta.url));

/** Finds wrk on PATH, else unpacks Debian's into the cache. */
function findWrk(): Program {
  const file = findProgram('wrk');
  if (file) return { file, env: {} };
  try {
    const root = unpackDebian('wrk', ['wrk']);
    return { file: join(root, 'usr/bin/wrk'), env: environmentOf(root) };
  } catch (error) {
    throw new Error('the benchmark needs wrk: run `apt-get install wrk`', { cause: error });
  }
}

/** Loads a server with wrk, on one thread, for a whole number of seconds. */
export async function runWrk({ port, connections, next }: Load, seconds: number): Promise<LoadResult> {
  const wrk = findWrk();
  const folder = mkdtempSync(join(tmpdir(), 'quittance-wrk-'));
  const file = join(folder, 'requests');
  const requests = Array.from({ length: REQUESTS }, next);
  writeFileSync(file, Buffer.concat(requests.flatMap((request) => [Buffer.from(`${request.length}\n`), request])));
  const url = `http://127.0.0.1:${port}`;
  const before = cpuOfEndedChildren();
  try {
    const args = ['--threads', '1', '--connections', `${connections}`, '--duration', `${seconds}s`];
    const { stdout } = await promisify(execFile)(wrk.file, [...args, '--script', SCRIPT, url, '--', file], {
      env: { ...process.env, ...wrk.env },
    });
    const result = JSON.parse(/^RESULT (.*)$/m.exec(stdout)?.[1] ?? 'null') as Record<string, number>;
    const durationUs = result.durationUs as number;
    return {
      requests: result.requests as number,
      perSecond: ((result.requests as number) * 1e6) / durationUs,
      p50Ms: (result.p50Us as number) / 1000,
      p99Ms: (result.p99Us as number) / 1000,
      refused: (result.refused as number) + (result.failed as number),
      generatorShare: (cpuOfEndedChildren() - before) / durationUs,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
