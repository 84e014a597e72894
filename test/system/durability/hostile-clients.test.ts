import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { get as getTls } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { WebSocket } from 'ws';
import { findFreePort } from '../../../src/base/platform/embedded/process.ts';
import { issuePageToken } from '../../../src/domain/access/gateway/page-token.ts';
import { createDatabase } from '../../support/database.ts';
import { caller } from '../../support/http.ts';
import { makeDataDir, type Program, runQuittance, until } from '../../support/program.ts';
import { makeAuthority } from '../../support/services/openssl.ts';

/** A web process of its own: what a client does to it cannot stop the test. */
interface Served {
  readonly program: Program;
  readonly port: number;
  /** Whether it serves HTTPS. */
  readonly tls: boolean;
}

const SECRET = 's'.repeat(40);
const EDGE = 'e'.repeat(40);
const clean: (() => void | Promise<void>)[] = [];
const atEnd = (task: () => void | Promise<void>) => void clean.push(task);

let plain: Served;
let edged: Served;
let overTls: Served;
beforeAll(async () => {
  const { databaseUrl, drop } = await createDatabase();
  atEnd(drop);
  plain = await serve(databaseUrl, {});
  edged = await serve(databaseUrl, { EDGE_SECRET: EDGE });
  const folder = mkdtempSync(join(tmpdir(), 'quittance-tls-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const { certFile, keyFile } = makeAuthority(folder, 'server');
  overTls = await serve(databaseUrl, { EDGE_SECRET: EDGE, TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile });
});
afterAll(async () => {
  for (const task of clean.toReversed()) await task();
});

async function serve(databaseUrl: string, more: Record<string, string>): Promise<Served> {
  const port = await findFreePort();
  const env = { PORT: String(port), DATA_DIR: makeDataDir(atEnd), DATABASE_URL: databaseUrl, LOG_LEVEL: 'warn' };
  const chain = { CHAIN_ID: String(inject('chainId')), RPC_URL: inject('rpcUrl') };
  const program = runQuittance(['serve', '--no-worker'], {
    env: { ...env, ...chain, RATE_LIMITS: 'off', JWT_SECRET: SECRET, KEY_ENCRYPTION_KEY: SECRET, ...more },
    atEnd,
  });
  atEnd(async () => {
    program.child.kill('SIGKILL');
    await program.exit;
  });
  const served = { program, port, tls: more.TLS_CERT_FILE !== undefined };
  await until(() => healthy(served).catch(() => false), { program, timeoutMs: 60_000 });
  return served;
}

async function healthy({ port, tls }: Served): Promise<boolean> {
  const path = '/healthz';
  if (!tls) return (await caller(`http://127.0.0.1:${port}`)('GET', path)).status === 200;
  const request = getTls({ host: '127.0.0.1', port, path, rejectUnauthorized: false });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode === 200;
}

const nested = (width: number, levels: number, leaf = '__typename') =>
  `{...F0}${Array.from(
    { length: levels },
    (_, i) => `fragment F${i} on Query{${i === levels - 1 ? leaf : `...F${i + 1} `.repeat(width)}}`,
  ).join('')}`;

const times = (count: number, text: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i)).join(' ');

/** Documents that are small to send and would be large to follow. */
const HOSTILE: readonly (readonly [name: string, query: string])[] = [
  ...[2, 3, 10, 30].flatMap((width) =>
    [10, 15, 19, 22, 40, 60].map((levels) => [`${width} spreads × ${levels} levels`, nested(width, levels)] as const),
  ),
  ['introspection below 22 fragments', nested(1, 22, '__schema{types{name}}')],
  ['introspection in spread fragments', nested(3, 40, '__schema{types{fields{name}}}')],
  [
    'fragments that contain each other',
    `{...A} fragment A on Query{${times(200, () => '...B')}} fragment B on Query{...A}`,
  ],
  [
    'each fragment spreads all others',
    `{...F0} ${times(30, (i) => `fragment F${i} on Query{${times(30, (j) => (i === j ? '__typename' : `...F${j}`))}}`)}`,
  ],
  ['one field many times', `{${times(450, () => 'siteConfig{brandKey}')}}`],
  ['one leaf many times', `{siteConfig{${times(1_900, () => 'brandKey')}}}`],
  ['one field in many inline fragments', `{${times(200, () => '...on Query{siteConfig{brandKey}}')}}`],
  [
    'one field in many fragments',
    `{${times(130, (i) => `...F${i}`)}}${times(130, (i) => `fragment F${i} on Query{siteConfig{brandKey}}`)}`,
  ],
  ['deep inline fragments', `${'{...'.repeat(640)}{__typename}${'}'.repeat(640)}`],
  ['deep fields', `${'{a'.repeat(650)}${'}'.repeat(650)}`],
  ['a deep list', `{user(wallet:${'['.repeat(950)}1${']'.repeat(950)}){wallet}}`],
  ['a deep object', `{user(wallet:${'{a:'.repeat(450)}1${'}'.repeat(450)}){wallet}}`],
  ['a deep type', `query q($a:${'['.repeat(950)}Int${']'.repeat(950)}){siteConfig{brandKey}}`],
  ['many operations', `${times(250, (i) => `query q${i}{...F}`)} fragment F on Query{siteConfig{brandKey}}`],
  ['unknown fields', `{${times(1_900, (i) => `receipt${i}`)}}`],
  ['many introspections', `{${times(30, (i) => `a${i}:__schema{types{name fields{name type{name}}}}`)}}`],
  [
    'introspection with many aliases',
    `{__schema{${times(30, (i) => `a${i}:types{...T}`)}}} fragment T on __Type{fields{args{type{name}}}}`,
  ],
  ['many challenges', `mutation{${times(30, (i) => `a${i}:loginChallenge(wallet:"0x${'1'.repeat(40)}"){nonce}`)}}`],
];

describe('a hostile document never stops the process', () => {
  test.each(HOSTILE)('%s', async (_name, query) => {
    const token = await issuePageToken({ jwtSecret: SECRET }, 'live', Date.now());
    const authorization = `Bearer ${token}`;
    const post = (headers: Record<string, string>) =>
      fetch(`http://127.0.0.1:${plain.port}/api/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ query }),
      });
    const socket = createClient({
      url: `ws://127.0.0.1:${plain.port}/api/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization },
      retryAttempts: 0,
    });
    const overSocket = new Promise((resolve) => {
      socket.subscribe({ query }, { next: resolve, error: resolve, complete: () => resolve(null) });
    });
    const answers = await Promise.all([
      post({}),
      post({ accept: 'text/event-stream' }),
      post({ authorization }),
      post({ authorization, accept: 'text/event-stream' }),
    ]);
    await overSocket;
    await socket.dispose();
    for (const answer of answers) {
      expect(answer.status).toBeLessThan(500);
      await answer.text();
    }
    expect(await healthy(plain)).toBe(true);
  });
});

describe('a connection reset never ends the process', () => {
  const upgrade = (path: string) =>
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
    'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
  const OPENINGS: Readonly<Record<string, string>> = {
    'a refused upgrade': upgrade('/api/graphql'),
    'an upgrade of another path': upgrade('/nothing'),
    'a broken request': 'NOT HTTP\r\n\r\n',
    'half a request': 'POST /api/graphql HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{',
    'no request': '',
  };

  test.each(Object.entries(OPENINGS))('%s', async (_name, opening) => {
    for (const served of [edged, plain, overTls]) {
      await Promise.all(
        Array.from({ length: 200 }, async (_, i) => {
          const socket = connect(served.port, '127.0.0.1');
          socket.on('error', () => {});
          await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
          if (served.tls) {
            const secure = connectTls({ socket, rejectUnauthorized: false }).on('error', () => {});
            // Each third is reset during the handshake.
            if (i % 3) await new Promise((resolve) => secure.once('secureConnect', resolve).once('close', resolve));
            if (opening) secure.write(opening);
          } else if (opening) socket.write(opening);
          // Before, while and after it is answered.
          if (i % 2) await new Promise((resolve) => setTimeout(resolve, i % 20));
          socket.resetAndDestroy();
        }),
      );
      expect(served.program.child.exitCode).toBeNull();
      expect(await healthy(served)).toBe(true);
    }
  });
});

test('a request whose body never ends is cut, while a stream that was opened before goes on', async () => {
  const token = await issuePageToken({ jwtSecret: SECRET }, 'live', Date.now());
  const stream = await fetch(`http://127.0.0.1:${plain.port}/api/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: 'subscription { livePresence { kind } }' }),
  });
  const socket = new WebSocket(`ws://127.0.0.1:${plain.port}/api/graphql`, 'graphql-transport-ws');
  await new Promise((resolve) => socket.once('open', resolve));
  socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } }));
  await new Promise((resolve) => socket.once('message', resolve));

  const slow = connect(plain.port, '127.0.0.1');
  let answer = '';
  slow.setEncoding('utf8').on('data', (text: string) => {
    answer += text;
  });
  slow.on('error', () => {});
  const cut = new Promise((resolve) => slow.once('close', resolve));
  slow.write(
    'POST /api/graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n',
  );
  const drip = setInterval(() => slow.write(' '), 1_000);
  await cut;
  clearInterval(drip);
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  expect(answer).toContain('The request did not arrive in time');

  const pong = new Promise((resolve) => socket.once('message', (data) => resolve(JSON.parse(String(data)))));
  socket.send(JSON.stringify({ type: 'ping' }));
  expect(await pong).toEqual({ type: 'pong' });
  const reader = stream.body!.getReader();
  expect((await reader.read()).done).toBe(false);
  await reader.cancel();
  socket.terminate();
});
