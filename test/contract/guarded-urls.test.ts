import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGuardedClient } from '../../src/base/outgoing/guarded-request.ts';

// Every URL that a caller chooses is called by the guarded client. Here each spelling of an address of this machine is
// tried, in the URL, as the answer of a name server and as the target of a redirect, against listeners of this machine.

/** Spellings of 127.0.0.1, of other addresses that lead to this machine, and of its names. */
const SPELLINGS = [
  ...[
    '127.0.0.1',
    '127.0.0.1.',
    '127.1',
    '127.0.1',
    '127.0.0.2',
    '127.255.255.254',
    '127.8.9.10',
    '0.0.0.0',
    '0',
    '0.0',
  ],
  ...[
    '2130706433',
    '0x7f000001',
    '0X7F000001',
    '0x7f.1',
    '0x7f.0.0.1',
    '0x7f.0x0.0x0.0x1',
    '0x7F.00.0x00.1',
    '0x0000007f.1',
  ],
  ...['0177.1', '0177.0.0.1', '0177.0.1', '00177.0.0.01', '017700000001', '127.0x0.00.1', '127.0.0x0.01', '0177.0x0.1'],
  ...[
    '①②⑦.0.0.1',
    '１２７.０.０.１',
    '127。0。0。1',
    '127．0．0．1',
    '127｡0｡0｡1',
    '%31%32%37.0.0.1',
    '127%2e0%2e0%2e1',
    '1②7.1',
  ],
  ...[
    'localhost',
    'LOCALHOST',
    'localhost.',
    'LocalHost.',
    'a.localhost',
    'a.b.localhost.',
    'ｌｏｃａｌｈｏｓｔ',
    'loc%61lhost',
  ],
  ...[
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[0000::0001]',
    '[::0001]',
    '[0::1]',
    '[::ffff:127.0.0.1]',
    '[::FFFF:7F00:1]',
  ],
  ...[
    '[::ffff:7f00:0001]',
    '[0:0:0:0:0:ffff:127.0.0.1]',
    '[::127.0.0.1]',
    '[::7f00:1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::7f00:1]',
  ],
  ...['[2002:7f00:1::]', '[2002:7f00:0001::1]', '[::ffff:0.0.0.0]', '[::ffff:0:127.0.0.1]', '[fe80::1]', '[fc00::1]'],
];

/** What a name server may answer. */
const ADDRESSES = [
  ...[
    '127.0.0.1',
    '127.0.0.2',
    '127.255.255.254',
    '0.0.0.0',
    '::1',
    '::',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::127.0.0.1',
  ],
  ...['0:0:0:0:0:0:0:1', '::ffff:0:0', '64:ff9b::7f00:1', '2002:7f00:1::', '::ffff:0:7f00:1'],
];

let reached = 0;
let redirect = { status: 302, location: '' };
const listeners: http.Server[] = [];
/** A container may have no IPv6. */
const hasIpv6 = networkInterfaces().lo?.some(({ family }) => family === 'IPv6') ?? false;
/** The ports of the listeners on IPv4 and, where there is one, IPv6, and of the one that redirects. */
let ports: number[];
let redirector: number;

async function listen(host: string, handle: http.RequestListener): Promise<number> {
  const server = http.createServer(handle);
  listeners.push(server);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return (server.address() as AddressInfo).port;
}

beforeAll(async () => {
  const canary: http.RequestListener = (_, response) => void response.end('reached');
  ports = [await listen('0.0.0.0', canary)];
  if (hasIpv6) ports.push(await listen('::', canary));
  // A handshake that never becomes a request is a contact too.
  for (const listener of listeners)
    listener.on('connection', () => {
      reached += 1;
    });
  redirector = await listen('127.0.0.1', (_, response) => {
    response.writeHead(redirect.status, { location: redirect.location }).end();
  });
});
afterAll(() => {
  for (const listener of listeners) {
    listener.closeAllConnections();
    listener.close();
  }
});

const post = async (client: ReturnType<typeof createGuardedClient>, url: string) =>
  client.post(url, Buffer.from('{}'), {}, 10_000);

test('the listeners are reached where local addresses are allowed', async () => {
  const client = createGuardedClient({ allowInsecure: true });
  const urls = ports.map((port, i) => `http://${i === 0 ? '127.0.0.1' : '[::1]'}:${port}/`);
  for (const url of urls) expect(await post(client, url)).toMatchObject({ statusCode: 200, head: 'reached' });
  client.close();
  expect(reached).toBe(ports.length);
  reached = 0;
});

test('no spelling of an address of this machine is called, with either scheme', async () => {
  const client = createGuardedClient({ allowInsecure: false });
  const urls = SPELLINGS.flatMap((host) =>
    ports.flatMap((port) =>
      ['https', 'http'].flatMap((scheme) =>
        ['', 'shop.test@', ''].map((user, i) => `${scheme}://${user}${host}:${port}/${i}`),
      ),
    ),
  );
  for (const url of urls) expect((await post(client, url)).statusCode, url).toBeNull();
  client.close();
  expect(urls.length).toBeGreaterThanOrEqual(320);
  expect(reached).toBe(0);
});

test('no name that resolves to such an address is called, alone, beside others, or after a public answer', async () => {
  let answers: { address: string; family: number }[][] = [];
  for (const address of ADDRESSES) {
    const local = { address, family: address.includes(':') ? 6 : 4 };
    for (const other of [local, { address: '::1', family: 6 }, { address: '10.1.2.3', family: 4 }]) {
      answers = [[local], [local, other], [other, local]];
      for (const port of ports) {
        // A new client has no connection that is open already.
        const client = createGuardedClient({ allowInsecure: false, resolve: async () => answers.shift() ?? [local] });
        for (let call = 0; call < 3; call++) {
          const answer = await post(client, `https://rebind.example.com:${port}/`);
          expect(answer, address).toMatchObject({ statusCode: null, error: expect.stringContaining('refused') });
        }
        client.close();
      }
    }
  }
  expect(reached).toBe(0);
});

test('no redirect is followed', async () => {
  const client = createGuardedClient({ allowInsecure: true });
  for (const status of [301, 302, 303, 307, 308])
    for (const host of SPELLINGS) {
      redirect = { status, location: `http://${encodeURI(host)}:${ports[0]}/` };
      expect(await post(client, `http://127.0.0.1:${redirector}/`)).toMatchObject({ statusCode: status });
    }
  client.close();
  expect(reached).toBe(0);
});
