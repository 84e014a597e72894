import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { zeroAddress } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Refusal } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';
import { askStranger } from './ask-stranger.ts';
import { type Chain, createChain } from './client.ts';
import artifact from './contracts/hostile-stranger.json' with { type: 'json' };
import { verifyTypedSignature } from './signatures.ts';
import { readOwnership, spendPermissionTypedData } from './spend-permissions.ts';
import { readReceived, readReleased, runsOutOfGas } from './splitter.ts';
import {
  attempt,
  callOf,
  charger,
  deploy,
  local,
  manager,
  permit,
  plainWallet,
  split,
  startPayers,
  stopPayers,
} from './test/payers.ts';

/** The requests that arrived at a service on this machine. */
const requests: string[] = [];
const service = createServer((request, response) => {
  requests.push(`${request.method} ${request.url}`);
  response.setHeader('content-type', 'application/json').end('{"data":"0x01"}');
});
let url: string;

beforeAll(async () => {
  await startPayers();
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/internal`;
});
afterAll(async () => {
  service.closeAllConnections();
  service.close();
  await stopPayers();
});
beforeEach(() => {
  requests.length = 0;
});

const WAYS = [
  ['asks for a URL', 0],
  ['returns megabytes', 1],
  ['reverts with megabytes', 2],
  ['never ends', 3],
] as const;

/** A contract that misbehaves, and that accepts every signature if it agrees. */
const stranger = (way: number, { sender = zeroAddress, agrees = false }: { sender?: string; agrees?: boolean } = {}) =>
  deploy(artifact, way, sender, agrees, url);

async function signedBy(wallet: Wallet) {
  const typedData = spendPermissionTypedData(31337, manager, await permit(wallet));
  return { wallet, typedData, signature: `0x${'11'.repeat(65)}` };
}

test.each(WAYS)('an account that %s is no account of the manager, and has signed nothing', async (_, way) => {
  const wallet = await stranger(way);
  expect(await readOwnership(local.chain, manager, wallet)).toBe('not_owner');
  expect(await verifyTypedSignature(local.chain, await signedBy(wallet))).toBe(false);
  expect(requests).toEqual([]);
});

test.each(WAYS)('a charge of an account that %s when it should pay is refused', async (_, way) => {
  const wallet = await stranger(way, { sender: charger, agrees: true });
  const permission = await permit(wallet);
  const call = { ...(await callOf(await plainWallet())), permission, signature: '0x11' as const };
  expect(await attempt(call)).toMatchObject({ kind: 'refused' });
  expect(requests).toEqual([]);
});

test.each(WAYS)('a payee that %s is not paid, and only one that never ends has run out of gas', async (_, way) => {
  const payee = await stranger(way);
  await local.control.setBalance({ address: split as `0x${string}`, value: 10n ** 18n });
  const outOfGas = await runsOutOfGas(local.chain, split, payee, 1n);
  expect(outOfGas).toBe(way === 3);
  expect(requests).toEqual([]);
});

test.each(WAYS)('a split that %s has released nothing', async (_, way) => {
  const address = await stranger(way);
  const { number } = await local.chain.client.getBlock();
  expect(await readReceived(local.chain, address, null, number)).toBe(0n);
  expect([...(await readReleased(local.chain, address, null, [charger]))]).toEqual([[charger, 0n]]);
  expect(requests).toEqual([]);
});

test('calls of one tick are answered each by itself, although one of them returns megabytes', async () => {
  const [honest, flooding] = [await stranger(0, { agrees: true }), await stranger(1)];
  const asked = Array.from({ length: 12 }, (_, i) => readOwnership(local.chain, manager, i === 7 ? flooding : honest));
  const expected = Array.from({ length: 12 }, (_, i) => (i === 7 ? 'not_owner' : 'owner'));
  expect(await Promise.all(asked)).toEqual(expected);
});

/** A node with a handler for its requests. */
async function node(treat: Parameters<typeof createServer>[1]): Promise<Chain> {
  const server = createServer({}, treat);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const rpcUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return createChain({ chainId: 31337, rpcUrl, tokens: [], confirmations: 1 });
}

const call = { to: split, data: '0x01', gas: 100_000n } as const;

test('an answer that never ends is read up to 64 KiB, and the call counts as failed', async () => {
  let written = 0;
  function* endless() {
    for (;;) {
      written += 65_536;
      yield 'f'.repeat(65_536);
    }
  }
  const chain = await node((_request, response) => {
    response.setHeader('content-type', 'application/json');
    pipeline(Readable.from(endless()), response, () => {});
  });
  expect(await askStranger(chain, call)).toMatchObject({ kind: 'failed' });
  // What the sockets of both sides hold is sent before the reader is gone.
  expect(written).toBeLessThan(16 * 1_048_576);
});

test('at most four requests are sent at a time, and none is repeated', async () => {
  const open: ServerResponse[] = [];
  let most = 0;
  let asked = 0;
  const chain = await node((_request, response) => {
    asked += 1;
    most = Math.max(most, open.push(response));
    if (open.length === 4) for (const held of open.splice(0)) held.writeHead(500).end();
  });
  // 12 batches.
  const settled = await Promise.allSettled(Array.from({ length: 300 }, () => askStranger(chain, call)));
  const codes = settled.map((one) => (one.status === 'rejected' ? (one.reason as Refusal).code : 'answered'));
  expect(new Set(codes)).toEqual(new Set(['chain_unavailable']));
  expect({ most, asked }).toEqual({ most: 4, asked: 12 });
});
