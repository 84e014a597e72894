import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EdgeReport } from '../../src/app/cli/edge.ts';
import { findFreePort } from '../../src/base/platform/embedded/process.ts';
import { EDGE_SECRET, type EdgeVariables, type Origin, PARTNER, startOrigin } from '../support/edge.ts';
import { runQuittance } from '../support/program.ts';
import { startNginx } from '../support/services/nginx.ts';

let origin: Origin;
beforeAll(async () => {
  origin = await startOrigin();
});
afterAll(() => origin.stop());

async function check(port: number, env = { NODE_EXTRA_CA_CERTS: origin.outside.certFile }, json = true) {
  const args = ['edge', 'check', `https://${PARTNER}`, '--connect', `127.0.0.1:${port}`, ...(json ? ['--json'] : [])];
  const program = runQuittance(args, { env });
  const { code } = await program.exit;
  expect(program.stderr()).toBe('');
  return { code, stdout: program.stdout() };
}

/** What the check says of an edge that was altered like this. */
async function faultsOf(port: number, env?: Parameters<typeof check>[1]) {
  const { code, stdout } = await check(port, env);
  const report: EdgeReport = JSON.parse(stdout);
  expect([report.ok, code]).toEqual([false, 1]);
  return report.checks.filter(({ ok }) => !ok).map(({ rule, problem }) => [rule, problem]);
}

const edgeWith = async (change: (configuration: string) => string, variables: EdgeVariables = {}) =>
  (
    await origin.edge({
      variables,
      change: (text) => {
        const changed = change(text);
        if (changed === text && Object.keys(variables).length === 0) throw new Error('nothing was changed');
        return changed;
      },
    })
  ).tlsPort;

describe('quittance edge check', () => {
  // Contract: edge.probes
  test('finds nothing wrong with the edge of docs/run/edge/', async () => {
    const { tlsPort } = await origin.edge();
    const { code, stdout } = await check(tlsPort);
    const report: EdgeReport = JSON.parse(stdout);
    expect(report.checks.filter(({ ok }) => !ok)).toEqual([]);
    expect([code, report.ok, report.brandKey, report.url]).toEqual([0, true, 'acme', `https://${PARTNER}`]);
    expect(report.checks.map(({ rule }) => rule)).toEqual([
      'reachable',
      'redirects',
      'origin',
      'site',
      'cors',
      'secret',
      'firewall',
      'preflight',
      'api-uncached',
      'pages-uncached',
      'static-cors',
      'static-cached',
      'websocket',
    ]);
  });

  test('prints what is wrong and what to change, and exits with 1', async () => {
    const port = await edgeWith((text) => text.replace(/add_header Access-Control-Allow-Headers.*/, ''));
    const { code, stdout } = await check(port, undefined, false);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ok {6}reachable\n/);
    expect(stdout).toMatch(/WRONG {3}cors: access-control-allow-headers is missing\n {8}Send, once each/);
    expect(stdout).toMatch(/of the rules asked do not hold\.\n$/);
  });

  test('an unreachable host and an untrusted certificate are reported', async () => {
    expect(await faultsOf(await findFreePort())).toEqual([['reachable', expect.stringContaining('ECONNREFUSED')]]);
    const { tlsPort } = await origin.edge();
    expect(await faultsOf(tlsPort, {} as never)).toEqual([['reachable', expect.stringContaining('certificate')]]);
  });

  // Contract: edge.tls-flexible
  test('flexible encryption: redirects in circles', async () => {
    const plain = await startNginx(
      ({ port }) => `server { listen 127.0.0.1:${port}; return 301 https://$host$request_uri; }`,
    );
    const port = await edgeWith((text) => text.replaceAll('proxy_pass https:', 'proxy_pass http:'), {
      ORIGIN_ADDRESS: `127.0.0.1:${plain.port}`,
    });
    expect(await faultsOf(port)).toEqual([['redirects', expect.stringContaining('in circles')]]);
  });

  test('an origin that the edge does not trust, or does not reach', async () => {
    const wanted = [['origin', expect.stringContaining('502')]];
    expect(await faultsOf(await edgeWith((text) => text, { ORIGIN_NAME: 'other.internal' }))).toEqual(wanted);
    const unreachable = `127.0.0.1:${await findFreePort()}`;
    expect(await faultsOf(await edgeWith((text) => text, { ORIGIN_ADDRESS: unreachable }))).toEqual(wanted);
  });

  test('a host that leads to something else', async () => {
    const port = await edgeWith((text) =>
      text.replace(
        'location ^~ /api/ {',
        `location = /api/site/config { default_type application/json; return 200 '{}'; }\n$&`,
      ),
    );
    expect(await faultsOf(port)).toEqual([['site', expect.stringContaining('not the answer of a Quittance server')]]);
  });

  const secret = /proxy_set_header x-edge-secret.*/;
  const location = (path: string, rules: string) => (text: string) =>
    text.replace('location ^~ /api/ {', `location ${path} { ${rules} }\n$&`);
  const cacheAll = 'proxy_cache quittance_static; proxy_cache_valid any 1m; proxy_ignore_headers Cache-Control;';
  // Contract: edge.probes, edge.firewall
  test.each<[string, (text: string) => string, [string, RegExp][]]>([
    ['no secret', (text) => text.replace(secret, ''), [['secret', /does not find its EDGE_SECRET/]]],
    ['another secret', (text) => text.replace(EDGE_SECRET, 'other'), [['secret', /does not find its EDGE_SECRET/]]],
    [
      'a secret that gives way to the client’s',
      (text) =>
        `map $http_x_edge_secret $secret { default $http_x_edge_secret; '' ${EDGE_SECRET}; }\n${text.replace(secret, 'proxy_set_header x-edge-secret $secret;')}`,
      [['secret', /what a client sends/]],
    ],
    ['a challenge page for all', location('^~ /api/site/', `return 403 '<html>';`), [['firewall', /answered 403/]]],
    [
      'a challenge page for tills',
      location('^~ /api/terminal/', `return 403 '<html>';`),
      [['firewall', /answered 403/]],
    ],
    [
      'CORS headers twice',
      (text) => text.replaceAll(/proxy_hide_header.*/g, ''),
      [
        ['cors', /is "\*, \*"/],
        ['preflight', /is "\*, \*"/],
        ['static-cors', /is "\*, \*"/],
      ],
    ],
    [
      'credentials',
      (text) => text.replaceAll(/add_header X-Edge.*/g, 'add_header Access-Control-Allow-Credentials true;'),
      [
        ['cors', /credentials is "true"/],
        ['preflight', /credentials/],
        ['static-cors', /credentials/],
      ],
    ],
    [
      'no preflights',
      (text) => text.replace('location ^~ /api/ {', '$& if ($request_method = OPTIONS) { return 405; }'),
      [['preflight', /answered 405/]],
    ],
    [
      'a cache for /api/',
      (text) => text.replace('proxy_buffering off;', cacheAll).replace('proxy_cache off;', ''),
      [['api-uncached', /from a cache/]],
    ],
    [
      'Cache-Control of its own for /api/',
      (text) => text.replace(/(location \^~ \/api\/ \{[\s\S]*?)proxy_cache off;/, '$1expires 1h;'),
      [['api-uncached', /says "cache-control: max-age=3600"/]],
    ],
    [
      'a cache for pages',
      (text) => text.replace(/(location \/ \{[\s\S]*?)proxy_cache off;/, `$1${cacheAll}`),
      [['pages-uncached', /from a cache/]],
    ],
    [
      'built files without CORS',
      (text) => text.replace('proxy_cache_lock on;', '$& add_header X-Other 1;'),
      [['static-cors', /access-control-allow-origin is missing/]],
    ],
    [
      'no cache for built files',
      (text) => text.replace('proxy_cache quittance_static;', ''),
      [['static-cached', /from the origin each time/]],
    ],
    [
      'no websockets',
      (text) => text.replace('proxy_set_header Upgrade ', 'proxy_set_header X-Upgrade '),
      [['websocket', /is answered 401/]],
    ],
  ])('an edge with %s', async (_what, change, wanted) => {
    const faults = await faultsOf(await edgeWith(change));
    expect(faults).toEqual(wanted.map(([rule, problem]) => [rule, expect.stringMatching(problem)]));
  });

  test('takes an address with https alone', async () => {
    for (const address of [`http://${PARTNER}`, PARTNER]) {
      const program = runQuittance(['edge', 'check', address]);
      expect(await program.exit).toMatchObject({ code: 1 });
      expect(program.stderr()).toContain('https://host');
    }
  });
});
