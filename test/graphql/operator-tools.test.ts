import { expect, test } from 'vitest';
import { payFromTestWallet } from '../../src/base/chain/local.ts';
import { componentLog } from '../../src/base/platform/log/log.ts';
import { openPaidShop } from '../contract/paid-shop.ts';
import { newAccount } from '../support/server.ts';
import { runStatement } from '../support/statement.ts';
import { ask, codeOf } from './ask.ts';

const operator = newAccount();
const { chain, server, merchant, session, mineUntil } = await openPaidShop({ PLATFORM_ADMINS: operator.address });
const admin = await server.signIn(operator);
const { chainId } = chain.chain;
const wallet = merchant.wallet;

const run = async (text: string, headers = admin) => {
  const answer = await ask(server, headers, `mutation { ${text} }`);
  expect(answer.body.errors).toBeUndefined();
  return Object.values(answer.body.data)[0] as never;
};
const newReceipt = (id: string) =>
  server.call('POST', '/api/receipts', {
    headers: merchant.auth,
    body: { id, lineItems: [{ label: 'x', priceUsd: 5 }] },
  });
const quote = (receiptId: string, token: string) =>
  ask(server, session, `mutation { quotePayment(receiptId: "${receiptId}", token: "${token}") { payTo amount } }`);
const statusOf = async (id: string) =>
  (await ask(server, session, `{ receipt(receiptId: "${id}") { status } }`)).body.data.receipt.status;

test('no other caller than a platform admin with its session runs a tool of the operator', async () => {
  const tools = [
    `pausePayments(chainId: ${chainId}, reason: "x") { chainId }`,
    `resumePayments(chainId: ${chainId}) { chainId }`,
    'rescanBlocks(fromBlock: 0, toBlock: 1) { found }',
    `reevaluateReceipt(wallet: "${wallet}", receiptId: "r") { added }`,
    'replayPlatformWebhooks(input: { since: 0 })',
    'setLogLevel(level: debug)',
  ];
  for (const tool of tools) {
    for (const headers of [session, merchant.auth, { cookie: admin.cookie as string }])
      expect(codeOf(await ask(server, headers, `mutation { ${tool} }`)), tool).toBe('forbidden');
    expect(codeOf(await ask(server, {}, `mutation { ${tool} }`)), tool).toBe('unauthorized');
  }
});

test('a paused token, and a paused chain, is offered for no new payment; money on its way is credited', async () => {
  await newReceipt('quoted');
  const { payTo, amount } = (await quote('quoted', 'USDC')).body.data.quotePayment;
  const pauses = await run(
    `pausePayments(chainId: ${chainId}, token: "usdc", reason: "depeg") { chainId token reason }`,
  );
  expect(pauses).toEqual([{ chainId, token: 'USDC', reason: 'depeg' }]);
  await newReceipt('later');
  const refused = await quote('later', 'USDC');
  expect([codeOf(refused), refused.body.errors[0].message]).toEqual([
    'invalid_input',
    expect.stringMatching(/^USDC on .* is paused at the moment\.$/),
  ]);
  expect((await quote('later', 'USDT')).body.errors).toBeUndefined();
  const page = (await server.call('GET', '/portal/later')).body;
  expect(page).toContain('is paused at the moment');
  expect(page).not.toContain('depeg');
  const health = async () => (await server.call('GET', '/healthz')).body.warnings ?? [];
  await expect.poll(health).toContain(`payments in USDC on chain ${chainId} are paused`);

  await run(`pausePayments(chainId: ${chainId}, reason: "reorganisation") { token }`);
  expect(codeOf(await quote('later', 'USDT'))).toBe('invalid_input');
  await payFromTestWallet(chain.chain, { token: 'USDC', to: payTo, amount: BigInt(amount) });
  await mineUntil(async () => (await statusOf('quoted')) === 'completed');

  const left = await run(`resumePayments(chainId: ${chainId}) { token reason }`);
  expect(left).toEqual([{ token: 'USDC', reason: 'depeg' }]);
  expect(await run(`resumePayments(chainId: ${chainId}, token: "USDC") { token }`)).toEqual([]);
  expect((await quote('later', 'USDC')).body.errors).toBeUndefined();
  for (const place of ['chainId: 5', `chainId: ${chainId}, token: "DOGE"`])
    expect(codeOf(await ask(server, admin, `mutation { pausePayments(${place}, reason: "x") { token } }`))).toBe(
      'invalid_input',
    );
});

test('a receipt whose confirmations were lost is paid after it is looked at again', async () => {
  await newReceipt('stuck');
  const { payTo, amount } = (await quote('stuck', 'USDC')).body.data.quotePayment;
  await payFromTestWallet(chain.chain, { token: 'USDC', to: payTo, amount: BigInt(amount) });
  await expect.poll(() => statusOf('stuck')).toBe('tx_mined');
  const text = "update transfers set confirmed_at = 1 where receipt_id = 'stuck'";
  await runStatement(server.deps.db, { name: 'test-lost-confirmations', text }, []);
  await chain.control.mine({ blocks: 5 });
  const found = await run(
    `reevaluateReceipt(wallet: "${wallet}", receiptId: "stuck") { statusBefore statusAfter lookedUp added rematched }`,
  );
  expect(found).toEqual({ statusBefore: 'tx_mined', statusAfter: 'tx_mined', lookedUp: 1, added: 0, rematched: 0 });
  await mineUntil(async () => ['paid', 'completed'].includes(await statusOf('stuck')));
  const missing = `mutation { reevaluateReceipt(wallet: "${wallet}", receiptId: "none") { added } }`;
  expect(codeOf(await ask(server, admin, missing))).toBe('not_found');
});

test('blocks are read again, webhooks sent again and levels of the log set, each with an entry of the audit log', async () => {
  const { found, added } = (await run('rescanBlocks(fromBlock: 0, toBlock: 49999) { found added }')) as Record<
    string,
    number
  >;
  expect([found! > 0, added]).toEqual([true, 0]);
  const refused = async (tool: string) => codeOf(await ask(server, admin, `mutation { ${tool} }`));
  expect(await refused('rescanBlocks(fromBlock: 0, toBlock: 50000) { found }')).toBe('invalid_input');
  expect(await run(`replayPlatformWebhooks(input: { wallet: "${wallet}", since: 0, kind: "receipt.*" })`)).toBe(0);
  expect(await refused(`replayPlatformWebhooks(input: { wallet: "${operator.address}", since: 0 })`)).toBe('not_found');
  expect(await refused('replayPlatformWebhooks(input: { since: 0, kind: "nothing" })')).toBe('invalid_input');

  expect(await run('setLogLevel(level: fatal, component: watcher)')).toBe(1);
  const { log } = server.deps;
  expect([componentLog(log, 'watcher').level, componentLog(log, 'charges').level]).toEqual(['fatal', log.level]);

  const read = async (owner: string) =>
    (await ask(server, admin, `{ platform { auditLog(${owner}) { nodes { action objectId } } } }`)).body.data.platform
      .auditLog.nodes;
  const ofPlatform = (await read('first: 20')).map(({ action }: { action: string }) => action);
  expect(new Set(ofPlatform)).toEqual(
    new Set(['payments_paused', 'payments_resumed', 'blocks_rescanned', 'log_level_changed']),
  );
  const ofMerchant = await read(`wallet: "${wallet}", first: 20`);
  expect(ofMerchant).toContainEqual({ action: 'receipt_reevaluated', objectId: 'stuck' });
  expect(ofMerchant).toContainEqual({ action: 'webhook_replayed', objectId: 'selection' });
});
