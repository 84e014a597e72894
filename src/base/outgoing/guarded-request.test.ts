import http from 'node:http';
import type { AddressInfo } from 'node:net';
import net from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { busyMs } from '../../../test/support/busy.ts';
import { isPublicAddress } from '../core/url.ts';
import { checkTarget, createGuardedClient, type GuardedClientOptions } from './guarded-request.ts';

const strict = { allowInsecure: false };

test.each([
  'http://example.com/hook',
  'ftp://example.com/',
  'not a url',
  'https://user@example.com/',
  'https://user:pass@example.com/',
  'https://localhost/',
  'https://LOCALHOST./',
  'https://a.localhost/',
  'https://metadata.google.internal/',
  'https://printer.local/',
  'https://intranet/',
  'https://127.0.0.1/',
  'https://127.0.0.1./',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.1/',
  'https://0177.0.0.1/',
  'https://①②⑦.0.0.1/',
  'https://0.0.0.0/',
  'https://10.0.0.1/',
  'https://172.16.5.4/',
  'https://192.168.1.1/',
  'https://100.64.0.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://[::1]/',
  'https://[::]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::127.0.0.1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[fd00::1]/',
  'https://[fe80::1]/',
  'https://[fd00:ec2::254]/',
])('%s is refused as a webhook URL, naming the field', (url) => {
  expect(() => checkTarget(url, strict)).toThrow(
    expect.objectContaining({
      code: 'invalid_input',
      message: expect.stringMatching(/^webhookUrl /),
      extra: { field: 'webhookUrl' },
    }),
  );
});

test('public https addresses are accepted, and in development also plain http and local addresses', () => {
  for (const url of ['https://example.com/hook?x=1', 'https://8.8.8.8/', 'https://[2606:4700::1111]:8443/']) {
    expect(checkTarget(url, strict).href).toBe(url);
  }
  expect(checkTarget('http://localhost:3000/', { allowInsecure: true }).port).toBe('3000');
  expect(() => checkTarget('http://user@localhost/', { allowInsecure: true })).toThrow();
});

test('an IPv4 address in IPv6 notation is treated as its IPv4 address', () => {
  expect(isPublicAddress('::ffff:8.8.8.8')).toBe(true);
  expect(isPublicAddress('::ffff:10.0.0.1')).toBe(false);
  expect(isPublicAddress('::7f00:1')).toBe(false);
});

function client(options: GuardedClientOptions) {
  const made = createGuardedClient(options);
  onTestFinished(() => made.close());
  return {
    ...made,
    send: (url: string, timeoutMs = 5_000) => made.post(url, Buffer.from('{}'), { 'X-Test': '1' }, timeoutMs),
  };
}

async function serve(handler: http.RequestListener, options: http.ServerOptions = {}) {
  const server = http.createServer(options, handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, port: (server.address() as AddressInfo).port };
}

test('a name that resolves to private addresses is refused at the connection, even if it was public before', async () => {
  let asked = 0;
  const answers = [[{ address: '10.1.2.3', family: 4 }], [{ address: '::ffff:169.254.169.254', family: 6 }], []];
  const { send } = client({ allowInsecure: false, resolve: async () => answers[asked++]! });
  for (let i = 0; i < 3; i++) {
    expect(await send(`https://rebind.example.com:${9_000 + i}/`)).toMatchObject({
      statusCode: null,
      error: expect.stringMatching(/refused/),
    });
  }
  expect(asked).toBe(3);
});

test('a private address in the URL is refused at the connection too, without a name lookup', async () => {
  const { send } = client({ allowInsecure: false });
  expect((await send('https://[::ffff:127.0.0.1]/')).error).toMatch(/refused/);
  expect((await send('http://example.com/')).error).toMatch(/refused/);
});

test('only the public addresses of a name are connected to', async () => {
  const { send } = client({
    allowInsecure: false,
    resolve: async () => [
      { address: '127.0.0.1', family: 4 },
      { address: '2001:db8::1', family: 6 },
    ],
  });
  expect((await send('https://both.example.com/')).error).toMatch(/refused/);
});

test('a name is looked up once for concurrent connections', async () => {
  let asked = 0;
  const { port } = await serve((_, response) => void response.end('ok'));
  const { send } = client({
    allowInsecure: true,
    resolve: async () => {
      asked += 1;
      await new Promise((resume) => setImmediate(resume));
      return [{ address: '127.0.0.1', family: 4 }];
    },
  });
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(`http://many.example.com:${port}/`)));
  expect(answers.every(({ statusCode }) => statusCode === 200)).toBe(true);
  expect(asked).toBe(1);
});

// Contract: webhooks.five-seconds, limits.webhook
test('an endpoint that sends its answer slowly is cut off after five seconds', async () => {
  const { port } = await serve((_, response) => {
    response.writeHead(200);
    const drip = setInterval(() => response.write('.'), 200);
    response.on('close', () => clearInterval(drip));
  });
  const started = performance.now();
  const answer = await client({ allowInsecure: true }).send(`http://127.0.0.1:${port}/`);
  expect(answer).toMatchObject({ statusCode: 200, error: 'timeout', head: expect.stringMatching(/^\.+$/) });
  expect(performance.now() - started).toBeGreaterThan(4_900);
  expect(performance.now() - started).toBeLessThan(busyMs(5_500));
});

test('an endpoint that accepts and never answers is cut off after the timeout', async () => {
  const server = net.createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const answer = await client({ allowInsecure: true }).send(
    `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    300,
  );
  expect(answer).toEqual({ statusCode: null, head: null, error: 'timeout' });
});

test('an endpoint that sends too much is cut off at 64 KiB, and its first KiB is kept', async () => {
  let sent = 0;
  const { port } = await serve((_, response) => {
    response.writeHead(200);
    const chunk = 'x'.repeat(16_384);
    const pour = () => {
      while (!response.destroyed && sent < 500_000_000) {
        sent += chunk.length;
        if (!response.write(chunk)) return void response.once('drain', pour);
      }
    };
    pour();
  });
  const answer = await client({ allowInsecure: true }).send(`http://127.0.0.1:${port}/`);
  expect(answer).toEqual({ statusCode: 200, head: 'x'.repeat(1_024), error: null });
  expect(sent).toBeLessThan(50_000_000);
});

test('connections are reused, and one that the server has closed causes no failure', async () => {
  const sockets = new Set<net.Socket>();
  let served = 0;
  const { port } = await serve((request, response) => {
    sockets.add(request.socket);
    served += 1;
    if (served === 3) request.socket.resetAndDestroy();
    else response.end('ok');
  });
  const { send } = client({ allowInsecure: true });
  for (let i = 0; i < 3; i++) {
    expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({ statusCode: 200 });
    // A connection is free in the tick after its answer.
    await new Promise((resume) => setImmediate(resume));
  }
  expect(served).toBe(4);
  expect(sockets.size).toBe(2);
});

test('a request is not repeated over a connection that has given no answer before', async () => {
  let served = 0;
  const { port } = await serve((request) => {
    served += 1;
    request.socket.resetAndDestroy();
  });
  const answer = await client({ allowInsecure: true }).send(`http://127.0.0.1:${port}/`);
  expect(answer).toEqual({ statusCode: null, head: null, error: expect.stringMatching(/ECONNRESET|closed/) });
  expect(served).toBe(1);
});

test('a request whose answer is no HTTP is not repeated', async () => {
  let served = 0;
  const server = net.createServer((socket) => {
    socket.once('data', () => {
      served += 1;
      socket.write('hello\r\n\r\n');
    });
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const answer = await client({ allowInsecure: true }).send(`http://127.0.0.1:${port}/`);
  expect(answer).toEqual({ statusCode: null, head: null, error: expect.stringMatching(/expected HTTP/i) });
  expect(served).toBe(1);
});

test('the head of an answer is text that the database can store', async () => {
  const { port } = await serve((_, response) => void response.end(Buffer.from(`a\0b${'ä'.repeat(1_000)}`)));
  const { head } = await client({ allowInsecure: true }).send(`http://127.0.0.1:${port}/`);
  expect(head).toMatch(/^abä+$/);
});
