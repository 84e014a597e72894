import {
  concat,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  hexToBigInt,
  numberToHex,
  parseSignature,
  serializeErc6492Signature,
  size,
  slice,
  zeroAddress,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Wallet } from '../core/wallet.ts';
import { toAddress, toWallet } from './address.ts';
import { chargerAbi, chargeTransaction, revokeAsSpenderTransaction } from './charger.ts';
import { accountFactory, createAccountTransaction, executeTransaction } from './spend-permission-account.ts';
import { hashSpendPermission, isRevoked, periodAt, revokeAsAccountTransaction } from './spend-permissions.ts';
import {
  attempt,
  balanceOf,
  callOf,
  charge,
  charger,
  expectRefused,
  local,
  manager,
  nextPeriod,
  nowS,
  owner,
  PERIOD_S,
  PRICE,
  permit,
  plainWallet,
  send,
  sign,
  smartAccount,
  spender,
  split,
  startPayers,
  stopPayers,
  usdc,
} from './test/payers.ts';

beforeAll(startPayers);
afterAll(stopPayers);

const kinds = [
  ['a plain wallet', () => plainWallet()],
  ['a smart account', () => smartAccount()],
] as const;

test.each(kinds)('%s pays the split in one transaction, once in a period, and again in the next', async (_, open) => {
  const payer = await open();
  const call = await callOf(payer);
  const before = await balanceOf(split);
  await charge(call);
  expect(await balanceOf(split)).toBe(before + PRICE);
  expect(await balanceOf(payer.wallet)).toBe(99n * PRICE);
  expect(await balanceOf(charger)).toBe(0n);
  await expectRefused(call, 'AlreadyCharged');

  await nextPeriod();
  await expectRefused(call, 'OtherPeriod');
  await charge({ ...call, periodStart: call.permission.start + PERIOD_S });
  expect(await balanceOf(split)).toBe(before + 2n * PRICE);
});

test.each(kinds)('%s is charged for the current period only, within start and end', async (_, open) => {
  const payer = await open();
  const now = await nowS();
  await expectRefused(await callOf(payer, {}, { periodStart: now + PERIOD_S }), 'OtherPeriod');
  await expectRefused(
    await callOf(payer, { start: now - 3 * PERIOD_S }, { periodStart: now - 3 * PERIOD_S }),
    'OtherPeriod',
  );
  await expectRefused(await callOf(payer, { start: now + 100_000 }), 'BeforeSpendPermissionStart');
  await expectRefused(await callOf(payer, { start: now - PERIOD_S, end: now - 1 }), 'AfterSpendPermissionEnd');
});

test.each(kinds)('%s pays at most its allowance, and never 0', async (_, open) => {
  const payer = await open();
  await expectRefused(await callOf(payer, {}, { value: PRICE * 3n + 1n }), /Exceeded/);
  await expectRefused(await callOf(payer, {}, { value: 0n }), 'ZeroValue');
  await charge(await callOf(payer, { salt: '7' }, { value: PRICE * 3n }));
});

test.each(kinds)(
  '%s revokes at the manager, and so does the spender; nothing is charged after either',
  async (_, open) => {
    const payer = await open();
    const contract = (await local.chain.client.getCode({ address: toAddress(payer.wallet) })) !== undefined;
    const call = await callOf(payer);
    const revocation = revokeAsAccountTransaction(manager, call.permission);
    await send(payer.sender, contract ? executeTransaction(payer.wallet, revocation) : revocation);
    expect(await isRevoked(local.chain, manager, call.permission)).toBe(true);
    await expectRefused(call, /Revoked|Unauthorized/);

    const other = await callOf(payer, { salt: '1' });
    await charge(other);
    await send(spender, revokeAsSpenderTransaction(charger, other.permission));
    expect(await isRevoked(local.chain, manager, other.permission)).toBe(true);
    await nextPeriod();
    await expectRefused({ ...other, periodStart: other.permission.start + PERIOD_S }, /Revoked|Unauthorized/);
  },
);

test('a plain wallet that withdraws its approval or has too few tokens is not charged', async () => {
  await expectRefused(await callOf(await plainWallet(usdc, PRICE - 1n)), /insufficient allowance/);
  const poor = await plainWallet();
  await send(poor.sender, {
    to: usdc,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [toAddress(split), 100n * PRICE] }),
  });
  await expectRefused(await callOf(poor), /exceeds balance/);
});

test('a smart account without the manager among its owners is not charged', async () => {
  expect(await attempt(await callOf(await smartAccount({ withManager: false })))).toMatchObject({ kind: 'refused' });
});

test('a smart account that is not deployed yet is deployed by its first charge (ERC-6492)', async () => {
  const payer = await smartAccount({ deployed: false });
  const call = await callOf(payer);
  const { to, data } = createAccountTransaction(payer.owners);
  expect(to).toBe(accountFactory.address);
  await expectRefused(call, 'InvalidSignature');
  const signature = serializeErc6492Signature({ address: toAddress(to), data, signature: call.signature });
  await charge({ ...call, signature });
  expect(await balanceOf(payer.wallet)).toBe(99n * PRICE);
});

test('only the owner of the charger charges and revokes, for every permission', async () => {
  const payer = await plainWallet();
  const call = await callOf(payer);
  for (const transaction of [chargeTransaction(charger, call), revokeAsSpenderTransaction(charger, call.permission)]) {
    expect(await payer.sender.send(transaction)).toMatchObject({
      hash: null,
      revertReason: expect.stringMatching(/revert/),
    });
  }
  expect(await balanceOf(payer.wallet)).toBe(100n * PRICE);
});

test('a permission for another spender is refused', async () => {
  const payer = await plainWallet();
  await expectRefused(await callOf(payer, { spender: toWallet(owner.address as never) }), 'OtherSpender');
});

test('signatures that are invalid, of another signer, of a changed permission, with a high s or shortened are refused', async () => {
  const payer = await plainWallet();
  const stranger = privateKeyToAccount(generatePrivateKey());
  const call = await callOf(payer);
  const { r, s, yParity } = parseSignature(call.signature);
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  const twin = concat([r, numberToHex(order - hexToBigInt(s), { size: 32 }), yParity === 0 ? '0x1c' : '0x1b']);
  const wrong: Hex[] = [
    '0x',
    `0x${'00'.repeat(65)}`,
    `0x${'ff'.repeat(65)}`,
    slice(call.signature, 0, 64),
    await sign(stranger, call.permission),
    await sign(payer.key, { ...call.permission, salt: '9' }),
    twin,
  ];
  for (const signature of wrong) {
    expect(await attempt({ ...call, signature }), `${size(signature)} bytes`).toMatchObject({ kind: 'refused' });
  }
  expect(await attempt(call)).toMatchObject({ kind: 'ready' });
});

test('a signature that recovers to no address does not authorize the zero address', async () => {
  const call = await callOf(await plainWallet(), { account: zeroAddress as Wallet });
  expect(await attempt({ ...call, signature: `0x${'00'.repeat(64)}1b` })).toMatchObject({ kind: 'refused' });
});

test('two permissions of one wallet are charged separately, each once', async () => {
  const payer = await plainWallet();
  const [first, second] = [await callOf(payer, { salt: '1' }), await callOf(payer, { salt: '2' })];
  await charge(first);
  await charge(second);
  await expectRefused(first, 'AlreadyCharged');
  expect(await balanceOf(payer.wallet)).toBe(98n * PRICE);
});

test('the contract and the server compute the same periods, including the last one, which the end shortens', async () => {
  const start = (await nowS()) - 1000;
  const permission = await permit(owner.address, { start, period: 300, end: start + 1100 });
  expect(periodAt(permission, start)).toEqual({ start, end: start + 300 });
  expect(periodAt(permission, start + 299)).toEqual({ start, end: start + 300 });
  expect(periodAt(permission, start + 900)).toEqual({ start: start + 900, end: start + 1100 });
  expect([periodAt(permission, start - 1), periodAt(permission, start + 1100)]).toEqual([null, null]);
  const hash = hashSpendPermission(31337, manager, permission);
  const until = await local.chain.client.readContract({
    abi: chargerAbi,
    address: toAddress(charger),
    functionName: 'chargedUntil',
    args: [hash],
  });
  expect(until).toBe(0);
});
