import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '../../../src/base/platform/embedded/process.ts';
import { callerAt } from '../../support/at-host.ts';
import { databaseSignals } from '../../support/database-processes.ts';
import type { Call } from '../../support/http.ts';
import { makeDataDir, runQuittance, startQuittance, until } from '../../support/program.ts';
import { startTestServer } from '../../support/server.ts';
import { startCaddy } from '../../support/services/caddy.ts';
import { startNames } from '../../support/services/names.ts';
import { startNginx } from '../../support/services/nginx.ts';
import { makeAuthority } from '../../support/services/openssl.ts';

const EDGE_SECRET = 'edge-secret-'.repeat(3);
const NAME = 'localhost';

/** Servers that listen on one port of several loopback addresses, as containers do. */
interface Servers {
  readonly addresses: readonly string[];
  readonly port: number;
}

/** A proxy with a configuration of the deployment files before these servers. */
interface Proxy {
  /** Calls its name over TLS. */
  readonly call: Call;
  /** The port that is for HTTP. */
  readonly plainPort: number;
}

/** A file of the deployment files, with replacements of what is there. */
function deployed(name: string, replacements: Readonly<Record<string, string>>): string {
  const file = readFileSync(join(import.meta.dirname, '../../../docs/run/deploy', name), 'utf8');
  return Object.entries(replacements).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`${name} has no "${from}"`);
    return text.replaceAll(from, to);
  }, file);
}

/** The certificate of the proxy's name, in files that have the names of an operator's. */
function certificateIn(folder: string): { readonly certFile: string; readonly keyFile: string } {
  const issued = makeAuthority(folder, 'authority').issue(NAME);
  const [certFile, keyFile] = [join(folder, 'fullchain.pem'), join(folder, 'privkey.pem')];
  renameSync(issued.certFile, certFile);
  renameSync(issued.keyFile, keyFile);
  return { certFile, keyFile };
}

/** Calls the proxy, which has a certificate of no known authority. */
const callOf = (port: number): Call => callerAt(`https://${NAME}`, { port });

async function openNginx({ addresses, port }: Servers): Promise<Proxy> {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-deployed-'));
  certificateIn(folder);
  const nginx = await startNginx(
    (place) =>
      deployed('nginx.conf.template', {
        '${SERVER_ADDRESS}': addresses.map((address) => `${address}:${port}`).join(';\n  server '),
        '${SERVER_NAME}': NAME,
        '${CERTIFICATES}': folder,
        '${EDGE_SECRET}': EDGE_SECRET,
        'listen 443 ssl': `listen 127.0.0.1:${place.tlsPort} ssl`,
        'listen 80': `listen 127.0.0.1:${place.port}`,
      }),
    { folder },
  );
  return { call: callOf(nginx.tlsPort), plainPort: nginx.port };
}

/** One server is at the address that the file names, several are behind a name, as in compose.yaml. */
async function openCaddy({ addresses, port }: Servers): Promise<Proxy> {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-deployed-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { certFile, keyFile } = certificateIn(folder);
  const refresh = 'refresh 5s';
  const caddy = await startCaddy(
    deployed('Caddyfile', {
      'tls {$ALERT_EMAIL}': `tls ${certFile} ${keyFile}`,
      ' 4000 {': ` ${port} {`,
      [refresh]: addresses.length > 1 ? `${refresh}\nresolvers udp/127.0.0.1:${await startNames(addresses)}` : refresh,
    }),
    { SERVER_NAME: NAME, EDGE_SECRET, ...(addresses.length > 1 ? { SERVER_HOST: 'server.' } : {}) },
  );
  return { call: callOf(caddy.tlsPort), plainPort: caddy.port };
}

/** Starts two servers with one database. Gives what their merchant sends, and how many orders each has answered. */
async function startServers({ addresses: [one, other], port }: Servers) {
  const secrets = { JWT_SECRET: 'j'.repeat(64), KEY_ENCRYPTION_KEY: 'k'.repeat(64), EDGE_SECRET };
  const metrics = [String(await findFreePort()), String(await findFreePort())] as const;
  const common = { PORT: String(port), RATE_LIMITS: 'off', LOG_LEVEL: 'warn', ...secrets };
  const dataDir = makeDataDir();
  const first = await startQuittance({ ...common, DATA_DIR: dataDir, HOST: one!, METRICS_PORT: metrics[0] });
  const info = runQuittance(['info', '--json'], { env: { ...secrets, DATA_DIR: dataDir } });
  await info.exit;
  const { databaseUrl, rpcUrl } = JSON.parse(info.stdout());
  const second = runQuittance(['serve', '--no-worker'], {
    env: {
      ...{ ...common, DATA_DIR: makeDataDir(), HOST: other!, METRICS_PORT: metrics[1] },
      ...{ DATABASE_URL: databaseUrl, RPC_URL: rpcUrl },
    },
  });
  const isUp = () => fetch(`http://${other}:${port}/healthz`).then(Boolean, () => false);
  await until(isUp, { program: second });
  const answeredAt = async (metricsPort: string) => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    const counts = text.matchAll(/^quittance_http_request_duration_seconds_count\{.*"\/api\/orders".*\} (\d+)$/gm);
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  };
  return {
    auth: first.auth,
    database: databaseSignals(dataDir),
    answered: () => Promise.all(metrics.map(answeredAt)),
    async stop() {
      second.child.kill('SIGTERM');
      await second.exit;
      await first.end();
    },
  };
}

describe.each([
  ['nginx', 'nginx.conf.template', openNginx],
  ['Caddy', 'Caddyfile', openCaddy],
])('behind %s with %s', (_, _file, open) => {
  test('a server is reached that refuses all others', async () => {
    const server = await startTestServer({ env: { EDGE_SECRET } });
    const proxy = await open({ addresses: ['127.0.0.1'], port: Number(new URL(server.url).port) });
    const plain = callerAt(`http://${NAME}`, { port: proxy.plainPort });
    const moved = await plain('GET', '/readyz');
    expect(String(moved.status)).toMatch(/^30[18]$/);
    expect(moved.headers.get('location')).toMatch(/^https:\/\/localhost(:\d+)?\/readyz$/);
    expect((await server.call('GET', '/api/receipts')).status).toBe(403);
    const { auth: headers } = await server.merchant();
    expect((await proxy.call('GET', '/api/receipts', { headers })).status).toBe(200);
    await server.stop();
  });

  test('no order is lost and no answer is 502 while the database is away, and both servers stay in', async () => {
    const servers = { addresses: ['127.0.0.2', '127.0.0.3'], port: await findFreePort() };
    const { auth: headers, database, answered, stop } = await startServers(servers);
    const { call } = await open(servers);
    const order = () => call('POST', '/api/orders', { headers, body: { items: [{ sku: 'MUG-STONE', qty: 1 }] } });
    const poll = (id: string) => call('GET', `/api/receipts/status?receiptId=${id}`, { headers });
    const orders = async (count: number) => {
      const answers = await Promise.all(Array.from({ length: count }, order));
      expect(answers.map(({ status, body }) => [status, body.ok])).toEqual(answers.map(() => [200, true]));
      return answers.map(({ body }): string => body.receipt.receiptId);
    };
    /** Orders until each server has answered some. */
    const ordersOfBoth = async () => {
      const before = await answered();
      const ids: string[] = [];
      await until(async () => {
        ids.push(...(await orders(4)));
        return (await answered()).every((count, i) => count > before[i]!);
      });
      return ids;
    };
    // Both have the catalog in memory afterwards.
    const [known] = await ordersOfBoth();

    database('SIGSTOP');
    const statuses = new Set<number>();
    const accepted: string[] = [];
    for (let round = 0; round < 6; round++) {
      const polls = Promise.all([poll(known!), poll(known!), poll(known!)]);
      accepted.push(...(await orders(1)));
      for (const { status } of await polls) statuses.add(status);
    }
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(statuses).toContain(503);
    accepted.push(...(await ordersOfBoth()));

    database('SIGCONT');
    for (const id of accepted) await until(async () => (await poll(id)).status === 200);
    await ordersOfBoth();
    await stop();
  }, 240_000);
});
