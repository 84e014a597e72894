import { ExactEvmScheme } from '@x402/evm';
import { decodePaymentResponseHeader, wrapFetchWithPaymentFromConfig } from '@x402/fetch';
import { expect, test } from 'vitest';
import type { Authorization } from '../../src/base/chain/authorizations.ts';
import { mintTestTokens } from '../../src/base/chain/local.ts';
import {
  type Authorizer,
  authorizationOf,
  newAuthorizer,
  signAuthorization,
} from '../../src/base/chain/test/authorize.ts';
import { parseWallet } from '../../src/base/core/wallet.ts';
import { stock } from './catalog.ts';
import { openPaidShop } from './paid-shop.ts';

const { chain, server, merchant, session, mineUntil } = await openPaidShop();
await stock(server, merchant, [{ sku: 'TEA', priceUsd: 100 }]);

async function graphql(query: string, variables: object) {
  const { body } = await server.call('POST', '/api/graphql', { headers: session, body: { query, variables } });
  expect(body.errors).toBe(undefined);
  return body.data;
}

/** A new receipt, and the address at which programs pay it. */
async function order() {
  const body = { items: [{ sku: 'TEA', qty: 1 }] };
  const { receiptId } = (await server.call('POST', '/api/orders', { headers: merchant.auth, body })).body.receipt;
  const { receipt } = await graphql('query ($id: ID!) { receipt(receiptId: $id) { x402Url } }', { id: receiptId });
  return { receiptId, url: receipt.x402Url as string };
}

const requirements = (answer: Response) =>
  JSON.parse(Buffer.from(answer.headers.get('payment-required')!, 'base64').toString());
const settlement = (answer: Response) => decodePaymentResponseHeader(answer.headers.get('payment-response')!);

/** A program with the money and without ether. */
async function payer(usdc = 1_000n): Promise<Authorizer> {
  const made = newAuthorizer();
  await mintTestTokens(chain.chain, 'USDC', made.wallet, usdc * 1_000_000n);
  return made;
}

const stockClient = ({ account }: Authorizer) =>
  wrapFetchWithPaymentFromConfig(fetch, {
    schemes: [{ network: 'eip155:31337', client: new ExactEvmScheme(account) }],
    // By default the client pays in well-known tokens only, and at most a dollar.
    spendControls: { allowedAssets: [{ network: 'eip155:31337', asset: chain.chain.tokens[0]!.address as string }] },
  });

/** The header of a payment for what an address asks for, with changes. */
async function headerFor(url: string, { account, wallet }: Authorizer, changes: Partial<Authorization> = {}) {
  const { accepts } = requirements(await fetch(url));
  const [accepted] = accepts;
  const authorization = authorizationOf(wallet, {
    to: parseWallet(accepted.payTo)!,
    value: BigInt(accepted.amount),
    ...changes,
  });
  const signature = await signAuthorization(chain.chain, account, authorization);
  const texts = Object.fromEntries(Object.entries(authorization).map(([name, value]) => [name, String(value)]));
  const payment = { x402Version: 2, accepted, payload: { signature, authorization: texts } };
  return { 'payment-signature': Buffer.from(JSON.stringify(payment)).toString('base64') };
}

test('an unpaid receipt answers 402 with what it costs, in the header and the body', async () => {
  const { receiptId, url } = await order();
  const answer = await fetch(url);
  expect(answer.status).toBe(402);
  const body = await answer.json();
  expect(requirements(answer)).toEqual(body);
  expect(body).toEqual({
    x402Version: 2,
    resource: { url, description: expect.stringContaining(receiptId), mimeType: 'application/json' },
    accepts: [
      {
        scheme: 'exact',
        network: 'eip155:31337',
        amount: '100500000',
        asset: chain.chain.tokens[0]!.address,
        payTo: expect.stringMatching(/^0x[0-9a-f]{40}$/),
        maxTimeoutSeconds: 300,
        extra: { name: 'Test USD Coin', version: '2', assetTransferMethod: 'eip3009' },
      },
    ],
  });
  expect(requirements(await fetch(url)).accepts).toEqual(body.accepts);
});

test('the client @x402/fetch pays a receipt, which answers 200 from then on', async () => {
  const { receiptId, url } = await order();
  const program = await payer();
  const answer = await stockClient(program)(url);
  expect(answer.status).toBe(200);
  const settled = settlement(answer);
  expect(settled).toMatchObject({ success: true, network: 'eip155:31337', payer: program.wallet });
  const hash = settled.transaction as `0x${string}`;
  expect((await chain.chain.client.getTransactionReceipt({ hash })).status).toBe('success');
  expect(await answer.json()).toMatchObject({
    ok: true,
    receipt: { receiptId, totalUsd: 100.5, transactionHash: hash },
  });

  await mineUntil(async () => (await (await fetch(url)).json()).receipt.status === 'completed');
  const [paid, again] = [await fetch(url), await stockClient(await payer())(url)];
  expect([paid.status, again.status]).toEqual([200, 200]);
  expect((await again.json()).receipt.transactionHash).toBe(hash);
});

test('one authorization pays one receipt: repeated, at the same time and for another receipt', async () => {
  const [one, other] = [await order(), await order()];
  const program = await payer();
  const headers = await headerFor(one.url, program);
  const answers = await Promise.all([1, 2, 3].map(() => fetch(one.url, { headers })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const hashes = answers.flatMap((answer) =>
    answer.headers.has('payment-response') ? [settlement(answer).transaction] : [],
  );
  expect(new Set(hashes).size).toBe(1);

  const replayed = await fetch(other.url, { headers });
  expect(replayed.status).toBe(402);
  expect(requirements(replayed).error).toBe('authorization_used');
  expect(settlement(replayed)).toMatchObject({ success: false, errorReason: 'authorization_used', transaction: '' });
});

test.each([2n ** 63n, 2n ** 256n - 1n])('an authorization without an end (%s) pays', async (validBefore) => {
  const { url } = await order();
  const answer = await fetch(url, { headers: await headerFor(url, await payer(), { validBefore }) });
  expect([answer.status, settlement(answer).success]).toEqual([200, true]);
});

test('of two programs that pay one receipt at the same time, one pays', async () => {
  const { url } = await order();
  const programs = await Promise.all([payer(), payer()]);
  const headers = await Promise.all(programs.map((program) => headerFor(url, program)));
  const answers = await Promise.all(headers.map((one) => fetch(url, { headers: one })));
  const paid = answers.filter(
    (answer) => answer.headers.has('payment-response') && settlement(answer).success === true,
  );
  expect(paid).toHaveLength(1);
  const balances = await Promise.all(
    programs.map(({ account }) =>
      chain.chain.client.readContract({
        abi: [
          {
            type: 'function',
            name: 'balanceOf',
            stateMutability: 'view',
            inputs: [{ name: 'owner', type: 'address' }],
            outputs: [{ name: '', type: 'uint256' }],
          },
        ] as const,
        address: chain.chain.tokens[0]!.address as string as `0x${string}`,
        functionName: 'balanceOf',
        args: [account.address],
      }),
    ),
  );
  expect(balances.filter((balance) => balance === 1_000_000_000n)).toHaveLength(1);
});

test('programs that are slower than another one learn that theirs is not accepted, or that the receipt is paid', async () => {
  const { url } = await order();
  const programs = await Promise.all(Array.from({ length: 8 }, () => payer()));
  const headers = await Promise.all(programs.map((program) => headerFor(url, program)));
  const answers = await Promise.all(headers.map((one) => fetch(url, { headers: one })));
  for (const answer of answers) {
    const body = await answer.json();
    if (answer.status === 402) expect(body.error).toBe('payment_underway');
    else expect([answer.status, body.receipt?.status]).toEqual([200, 'tx_mined']);
  }
});

test('a payment that the token would not accept is answered 402 with its reason, and sends nothing', async () => {
  const { url } = await order();
  const program = await payer();
  const reasonOf = async (changes: Partial<Authorization>, who = program) => {
    const answer = await fetch(url, { headers: await headerFor(url, who, changes) });
    expect(answer.status).toBe(402);
    return requirements(answer).error;
  };
  expect(await reasonOf({ value: 1n })).toBe('wrong_amount');
  expect(await reasonOf({ to: program.wallet })).toBe('wrong_recipient');
  expect(await reasonOf({ validBefore: 1n })).toBe('expired');
  expect(await reasonOf({}, await payer(1n))).toBe('insufficient_balance');
  expect(await reasonOf({}, { ...program, account: newAuthorizer().account })).toBe('invalid_signature');
  for (const header of ['', 'AAAA', 'bm8', Buffer.from('{"x402Version":1}').toString('base64')]) {
    const answer = await fetch(url, { headers: { 'payment-signature': header || 'x' } });
    expect([answer.status, requirements(answer).error]).toEqual([402, 'invalid_payload']);
  }
});

test('a receipt that has ended takes no payment, and an unknown one or a wrong key is not found', async () => {
  const { receiptId, url } = await order();
  const headers = await headerFor(url, await payer());
  await graphql('mutation ($id: ID!) { voidReceipt(receiptId: $id) { receiptId } }', { id: receiptId });
  const ended = await fetch(url, { headers });
  expect([ended.status, (await ended.json()).error]).toEqual([409, 'receipt_ended']);

  const body = { id: 'own-id', lineItems: [{ label: 'Tea', priceUsd: 5 }], totalUsd: 5 };
  await server.call('POST', '/api/receipts', { headers: merchant.auth, body });
  const { receipt } = await graphql('query { receipt(receiptId: "own-id") { x402Url } }', {});
  expect((await fetch(receipt.x402Url)).status).toBe(402);
  const answers = await Promise.all(
    [receipt.x402Url.replace(/k=[^&]+/, 'k=wrong'), url.replace(receiptId, 'no-such-receipt')].map((one) => fetch(one)),
  );
  expect(answers.map(({ status }) => status)).toEqual([404, 404]);
});

test('a page of any website may read the terms and send a payment, and no cookie goes with it', async () => {
  const { url } = await order();
  const origin = { origin: 'https://agent.example' };
  const asked = { ...origin, 'access-control-request-method': 'GET' };
  const preflight = await fetch(url, {
    method: 'OPTIONS',
    headers: { ...asked, 'access-control-request-headers': 'payment-signature' },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-headers')).toBe('payment-signature');
  const unknown = `${server.url}/x402/R-unknown?recipient=${merchant.wallet}`;
  for (const answer of [preflight, await fetch(url, { headers: origin }), await fetch(unknown, { headers: origin })]) {
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-credentials')).toBe(null);
    expect(answer.headers.get('access-control-expose-headers')).toBe('PAYMENT-REQUIRED, PAYMENT-RESPONSE');
  }
  expect((await fetch(url, { headers: origin })).status).toBe(402);
});
