import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { findFreePort, waitUntil } from '../../../src/base/platform/embedded/process.ts';
import { environmentOf, unpackDebian } from './debian.ts';
import { findProgram, type Program } from './programs.ts';

/** Finds an nginx on PATH, else unpacks Debian's into the cache. Throws with the command that helps. */
function findNginx(): Program {
  const file = findProgram('nginx');
  if (file) return { file, env: {} };
  try {
    const root = unpackDebian('nginx', ['nginx']);
    return { file: join(root, 'usr/sbin/nginx'), env: environmentOf(root) };
  } catch (error) {
    throw new Error('the tests need nginx: run `apt-get install nginx`', { cause: error });
  }
}

/**
 * What a configuration may use: two free loopback ports, and a folder of its own for caches, certificates and the like.
 */
export interface NginxPlace {
  readonly port: number;
  readonly tlsPort: number;
  readonly folder: string;
}

export interface Nginx extends NginxPlace {
  /** What it has written to its error log. */
  errors(): string;
  stop(): Promise<void>;
}

export interface NginxOptions {
  /** The folder of the configuration's files; one is made where none is given. It goes with the server. */
  readonly folder?: string;
  /** When it must be gone; after the test unless a whole file uses it. */
  readonly atEnd?: (clean: () => Promise<void>) => void;
}

/**
 * Starts an nginx with what `http` writes into its `http {}` block (servers listening on `127.0.0.1:${port}` or
 * `…:${tlsPort}`), once it answers there. It ends with `stop`, after the test, or with this process, however that ends.
 * Throws with nginx's own words where it does not start.
 */
export async function startNginx(http: (place: NginxPlace) => string, options: NginxOptions = {}): Promise<Nginx> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'quittance-nginx-'));
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const place = { port: await findFreePort(), tlsPort: await findFreePort(), folder };
    const nginx = await run(place, http(place));
    if (nginx) {
      (options.atEnd ?? onTestFinished)(nginx.stop);
      return nginx;
    }
  }
  throw new Error('no free port for nginx');
}

/** Nothing of the machine's own nginx: neither its folders nor its user. */
const main = (folder: string, http: string) => `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log info;
${process.getuid?.() === 0 ? 'user root root;' : ''}
events { worker_connections 4096; }
http {
  access_log off;
${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `  ${name}_temp_path ${folder}/temp/${name};`).join('\n')}
${http}
}
`;

/** It lives as long as the pipe from here is open, which a killed test run closes too. */
const LEASH = '"$@" & nginx=$!; cat; kill $nginx; wait $nginx';

/** Null where somebody else took a port meanwhile. */
async function run(place: NginxPlace, http: string): Promise<Nginx | null> {
  const { folder } = place;
  const log = join(folder, 'error.log');
  mkdirSync(join(folder, 'temp'), { recursive: true });
  writeFileSync(join(folder, 'nginx.conf'), main(folder, http));
  writeFileSync(log, '');
  const program = findNginx();
  const args = ['-p', folder, '-e', log, '-c', join(folder, 'nginx.conf')];
  const child = spawn('/bin/sh', ['-c', LEASH, 'sh', program.file, ...args], {
    env: { ...process.env, ...program.env },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const ended = once(child, 'exit');
  const errors = () => readFileSync(log, 'utf8');
  const stop = async () => {
    child.stdin.end();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  const failed = () => errors().includes('[emerg]');
  const up = await waitUntil(async () => failed() || (await takes(place.port)) || (await takes(place.tlsPort)), 60_000);
  if (up && !failed()) return { ...place, errors, stop };
  child.stdin.end();
  await ended;
  if (errors().includes('Address already in use')) return null;
  const said = errors();
  rmSync(folder, { recursive: true, force: true });
  throw new Error(`nginx does not start:\n${said}`);
}

/** Whether somebody listens there. */
function takes(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
