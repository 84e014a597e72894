import net, { type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createGuardedClient, type GuardedClientOptions } from '../../../../base/outgoing/guarded-request.ts';
import { troubleOf } from './trouble.ts';

/** What a person reads of one real attempt. */
async function troubleAt(url: string, options: Partial<GuardedClientOptions> = {}, timeoutMs = 3_000) {
  const client = createGuardedClient({ allowInsecure: true, ...options });
  onTestFinished(() => client.close());
  return troubleOf({ ...(await client.post(url, Buffer.from('{}'), {}, timeoutMs)) });
}

/** A port of this machine on which connections meet `meet`. */
async function listen(meet: (socket: net.Socket) => void): Promise<number> {
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    meet(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function closedPort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('no failure of the network is shown in the words of a program', async () => {
  const silent = await listen(() => {});
  const closing = await listen((socket) => socket.destroy());
  const plain = await listen((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'));
  const unknown = {
    resolve: async () =>
      Promise.reject(Object.assign(new Error('queryA ENOTFOUND shop.invalid'), { code: 'ENOTFOUND' })),
  };
  expect(await troubleAt(`http://127.0.0.1:${await closedPort()}/`)).toBe('No answer at this address');
  expect(await troubleAt(`http://127.0.0.1:${silent}/`, {}, 50)).toBe('No answer in time');
  expect(await troubleAt(`http://127.0.0.1:${closing}/`)).toBe('The connection was closed before an answer');
  expect(await troubleAt(`https://127.0.0.1:${plain}/`)).toBe(
    'No secure connection: check the certificate of the server',
  );
  expect(await troubleAt('http://example.com/', { allowInsecure: false })).toBe(
    'This address is not a public https address',
  );
  expect(await troubleAt('http://shop.invalid/', unknown as never)).toBe('No server has this name');
});

test('an error that has no sentence is shown as an incomplete answer, not as it is', () => {
  expect(troubleOf({ statusCode: null, error: 'ESOMETHING 0x7f' })).toBe('No complete answer');
  expect(troubleOf({ statusCode: 500, error: null })).toContain('500');
  expect(troubleOf({ statusCode: 204, error: null })).toBeNull();
});
