import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { findFreePort, waitUntil } from '../../../src/base/platform/embedded/process.ts';
import { environmentOf, unpackDebian } from './debian.ts';
import { LEASH } from './leash.ts';
import { findProgram, type Program } from './programs.ts';

/** Finds a caddy on PATH, else unpacks Debian's into the cache. Throws with the command that helps. */
function findCaddy(): Program {
  const file = findProgram('caddy');
  if (file) return { file, env: {} };
  try {
    const root = unpackDebian('caddy', ['caddy']);
    return { file: join(root, 'usr/bin/caddy'), env: environmentOf(root) };
  } catch (error) {
    throw new Error('the tests need Caddy: run `apt-get install caddy`', { cause: error });
  }
}

/** The loopback ports of a Caddy, for HTTP and for HTTPS. */
export interface Caddy {
  readonly port: number;
  readonly tlsPort: number;
}

/**
 * Starts a Caddy with these sites on two loopback ports, once it answers there, and with these variables. It ends after
 * the test. Throws with Caddy's own words where it does not start.
 */
export async function startCaddy(sites: string, env: Readonly<Record<string, string>>): Promise<Caddy> {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-caddy-'));
  const [port, tlsPort] = [await findFreePort(), await findFreePort()];
  const ports = `admin off\ndefault_bind 127.0.0.1\nhttp_port ${port}\nhttps_port ${tlsPort}`;
  const file = join(folder, 'Caddyfile');
  const log = join(folder, 'log');
  writeFileSync(file, `{\n${ports}\nlog {\noutput file ${log}\n}\n}\n${sites}`);
  const program = findCaddy();
  // It keeps certificates and its last configuration in the home of its user.
  mkdirSync(join(folder, 'home'));
  const child = spawn('/bin/sh', ['-c', LEASH, 'sh', program.file, 'run', '--config', file], {
    env: { ...program.env, ...env, PATH: process.env.PATH, HOME: join(folder, 'home') },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (text) => {
    said += text;
  });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.stdin.end();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  const isUp = await waitUntil(async () => child.exitCode !== null || (await listens(tlsPort)), 60_000);
  if (isUp && child.exitCode === null) return { port, tlsPort };
  throw new Error(`Caddy does not start:\n${said}`);
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
