import type { TypedDataDefinition } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toWallet } from '../../src/base/chain/address.ts';
import { localAccount } from '../../src/base/chain/local-accounts.ts';
import { claimTypedData } from '../../src/domain/payments/matching/claim.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { stock } from './catalog.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const SUBMIT = `mutation ($receiptId: ID!, $transactionHash: Hex!, $signer: Wallet, $signature: Hex) {
  submitTransaction(receiptId: $receiptId, transactionHash: $transactionHash, signer: $signer, signature: $signature) { receiptId status }
}`;
const transactionHash = `0x${'a1'.repeat(32)}`;

test("over GraphQL a hint may carry its sender's signature, which must be whole and the signer's own", async () => {
  const merchant = await server.merchant();
  await stock(server, merchant, [{ sku: 'TEA', priceUsd: 10 }]);
  const order = await server.call('POST', '/api/orders', {
    headers: merchant.auth,
    body: { items: [{ sku: 'TEA', qty: 1 }] },
  });
  const { receiptId } = order.body.receipt;
  const headers = await server.signIn(merchant.account);
  const submit = async (more: object) => {
    const variables = { receiptId, transactionHash, ...more };
    const { body } = await server.call('POST', '/api/graphql', { headers, body: { query: SUBMIT, variables } });
    return body.errors?.[0].extensions.code ?? body.data.submitTransaction;
  };
  const buyer = privateKeyToAccount(localAccount('buyer', 1).privateKey);
  const signer = toWallet(buyer.address);
  const facts = { merchant: merchant.wallet, receiptId, transactionHash };
  const signature = await buyer.signTypedData(claimTypedData(31337, facts) as unknown as TypedDataDefinition);

  expect(await submit({})).toEqual({ receiptId, status: 'generated' });
  expect(await submit({ signer })).toBe('invalid_input');
  expect(await submit({ signature })).toBe('invalid_input');
  expect(await submit({ signer: merchant.wallet, signature })).toBe('invalid_signature');
  expect(await submit({ signer: buyer.address, signature })).toEqual({ receiptId, status: 'generated' });
});
