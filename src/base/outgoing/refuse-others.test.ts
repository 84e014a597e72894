import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openFixedHost } from './fixed-host.ts';

const requests: string[] = [];
const service = createServer((request, response) => {
  requests.push(`${request.method} ${request.url}`);
  if (request.url === '/elsewhere') response.writeHead(307, { location: `http://localhost:${portOf()}/secret` });
  response.end('here');
});
const portOf = () => (service.address() as AddressInfo).port;
let url: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${portOf()}`;
});
afterAll(() => {
  service.closeAllConnections();
  service.close();
});

test('a process that refuses others reaches a host of its settings, and a package of its own reaches nothing', async () => {
  const script = `
    import http from 'node:http';
    import https from 'node:https';
    import { openFixedHost } from ${JSON.stringify(import.meta.resolve('./fixed-host.ts'))};
    import { refuseOthers } from ${JSON.stringify(import.meta.resolve('./refuse-others.ts'))};
    refuseOthers();
    const url = ${JSON.stringify(url)};
    const ask = (client, to) => new Promise((resolve, reject) => {
      client.get(to, (answer) => resolve(answer.statusCode)).on('error', reject);
    });
    const tried = {
      own: () => openFixedHost(url)(url + '/own').then((answer) => answer.text()),
      fetch: () => fetch(url + '/fetch').catch(({ cause }) => { throw cause; }),
      http: async () => ask(http, url + '/http'),
      https: async () => ask(https, url.replace('http:', 'https:') + '/https'),
    };
    const said = {};
    for (const [name, run] of Object.entries(tried))
      said[name] = await run().catch((error) => error.message.replace(/127.0.0.1/, 'HOST'));
    console.log(JSON.stringify(said));
  `;
  requests.length = 0;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  const refused = 'refused: HOST is no destination of this process';
  expect(JSON.parse(stdout)).toEqual({ own: 'here', fetch: refused, http: refused, https: refused });
  expect(requests).toEqual(['GET /own']);
});

test.each([
  ['a URL of another host', () => `http://localhost:${portOf()}/secret`],
  ['another port of the host', () => 'http://127.0.0.1:8123/secret'],
  ['a redirect to another host', () => `${url}/elsewhere`],
])('a request to a fixed host does not follow %s', async (_, target) => {
  requests.length = 0;
  const sent = openFixedHost(url)(target()).catch(({ cause }: Error) => Promise.reject(cause));
  await expect(sent).rejects.toThrow(/^refused: only 127\.0\.0\.1:\d+ may be reached here, not /);
  expect(requests.join()).not.toContain('/secret');
});
