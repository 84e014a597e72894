import { generatePrivateKey } from 'viem/accounts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Wallet } from '../core/wallet.ts';
import { createChain } from './client.ts';
import { localAccount } from './local-accounts.ts';
import { createSender } from './sender.ts';
import { startTestChain, type TestChain } from './test/anvil.ts';

const to = `0x${'42'.repeat(20)}` as Wallet;

let local: TestChain;

beforeAll(async () => {
  local = await startTestChain();
});

afterAll(() => local.stop());

test('thirty concurrent transactions are all mined, each with a different nonce', async () => {
  const sender = createSender(local.chain, localAccount('settlement').privateKey);
  const sent = await Promise.all(Array.from({ length: 30 }, () => sender.send({ to, value: 1n })));
  expect(new Set(sent.map(({ hash }) => hash)).size).toBe(30);
  const statuses = await Promise.all(sent.map(({ hash }) => sender.waitFor(hash!)));
  expect(statuses).toEqual(Array(30).fill('success'));
});

test('a transaction that cannot be sent does not block later ones', async () => {
  const sender = createSender(local.chain, localAccount('settlement').privateKey);
  const tooMuch = sender.send({ to, value: 10n ** 30n });
  const affordable = sender.send({ to, value: 1n });
  await expect(tooMuch).rejects.toThrow(/insufficient|exceeds/i);
  expect(await sender.waitFor((await affordable).hash!)).toBe('success');
});

test('an empty wallet is reported as such, and not as an unavailable chain', async () => {
  const sender = createSender(local.chain, generatePrivateKey());
  await expect(sender.send({ to, value: 1n })).rejects.not.toMatchObject({ code: 'chain_unavailable' });
});

test('a transaction that is not in a block is pending after the timeout', async () => {
  await local.control.setAutomine(false);
  onTestFinished(() => local.control.setAutomine(true));
  const sender = createSender(local.chain, localAccount('settlement').privateKey);
  const { hash } = await sender.send({ to, value: 1n });
  expect(await sender.waitFor(hash!, 300)).toBe('pending');
});

test('no transaction is sent to a chain other than the configured one', async () => {
  const wrong = createChain({ ...local.chain, chainId: 8453, rpcUrl: local.rpcUrl });
  const sender = createSender(wrong, localAccount('settlement').privateKey);
  await expect(sender.send({ to, value: 1n })).rejects.toMatchObject({ code: 'chain_unavailable' });
});

test('an unavailable chain is refused with chain_unavailable', async () => {
  const gone = createChain({ ...local.chain, rpcUrl: 'http://127.0.0.1:1' });
  const sender = createSender(gone, localAccount('settlement').privateKey);
  await expect(sender.send({ to, value: 1n })).rejects.toMatchObject({ code: 'chain_unavailable' });
});
