import { encodeFunctionData, erc20Abi, type Hex, maxUint256, parseAbi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Wallet } from '../core/wallet.ts';
import { toAddress } from './address.ts';
import { CHARGE_GAS_MAX, tryCharge } from './charge-attempt.ts';
import { type ChargeCall, chargeTransaction, planCharger } from './charger.ts';
import accountArtifact from './contracts/hostile-account.json' with { type: 'json' };
import tokenArtifact from './contracts/hostile-token.json' with { type: 'json' };
import silentArtifact from './contracts/silent-token.json' with { type: 'json' };
import { deploymentTransaction } from './create2.ts';
import {
  attempt,
  balanceOf,
  callOf,
  charge,
  charger,
  deploy,
  expectRefused,
  funder,
  local,
  manager,
  mint,
  owner,
  PRICE,
  permit,
  plainWallet,
  send,
  split,
  startPayers,
  stopPayers,
  usdc,
} from './test/payers.ts';

beforeAll(startPayers);
afterAll(stopPayers);

test.each([
  ['takes a fee from every transfer', 1, 'NotForwarded'],
  ['says no', 2, /./],
  ['says yes and moves nothing', 3, 'NotForwarded'],
])('a token that %s does not pay the split', async (_, way, error) => {
  const token = await deploy(tokenArtifact, way);
  await expectRefused(await callOf(await plainWallet(token), { token }), error);
});

test('a token without return values is charged like any other; a contract that is not a token is refused', async () => {
  const token = await deploy(silentArtifact);
  const call = await callOf(await plainWallet(token), { token });
  await charge(call);
  expect(await balanceOf(split, token)).toBe(PRICE);
  const nothing = await callOf(await plainWallet(), { token: `0x${'77'.repeat(20)}` as Wallet });
  expect(await attempt(nothing)).toMatchObject({ kind: 'refused' });
});

test('a token cannot charge again from within a charge, even if it is the owner', async () => {
  const token = await deploy(tokenArtifact, 4);
  const payer = await plainWallet(token);
  const [outer, inner] = [await callOf(payer, { token, salt: '1' }), await callOf(payer, { token, salt: '2' })];
  const armAbi = parseAbi(['function arm(address charger, bytes call)']);
  const arm = (target: Wallet, data: Hex) =>
    send(funder, {
      to: token,
      data: encodeFunctionData({ abi: armAbi, functionName: 'arm', args: [toAddress(target), data] }),
    });
  await arm(charger, chargeTransaction(charger, inner).data);
  await expectRefused(outer, 'NotOwner');

  const owned = planCharger(manager, token);
  await send(funder, deploymentTransaction(owned));
  await send(payer.sender, {
    to: token,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [toAddress(owned.address), maxUint256] }),
  });
  const through = async (salt: string) => callOf(payer, { token, salt, spender: owned.address });
  const [first, again] = [await through('3'), await through('4')];
  await arm(owned.address, chargeTransaction(owned.address, again).data);
  expect(await tryCharge(local.chain, owned.address, token, first)).toMatchObject({
    kind: 'refused',
    error: 'Reentered',
  });
});

test('an account that does nothing, burns all gas or returns too much data is refused within the gas limit, at no cost to others', async () => {
  for (const way of [1, 2, 3]) {
    const wallet = await deploy(accountArtifact, way);
    await mint(usdc, wallet, PRICE);
    const permission = await permit(wallet);
    const call: ChargeCall = { permission, value: PRICE, split, periodStart: permission.start, signature: '0x1234' };
    expect(await attempt(call), `way ${way}`).toMatchObject({ kind: 'refused' });
    // If it is sent anyway, it costs its gas and moves nothing.
    const before = await balanceOf(split);
    const account = privateKeyToAccount(owner.privateKey);
    const { client } = local.chain;
    const { to, data } = chargeTransaction(charger, call);
    const raw = await account.signTransaction({
      type: 'eip1559',
      chainId: 31337,
      to: toAddress(to),
      data,
      nonce: await client.getTransactionCount({ address: account.address }),
      gas: CHARGE_GAS_MAX,
      ...(await client.estimateFeesPerGas()),
    });
    const hash = await client.sendRawTransaction({ serializedTransaction: raw });
    const receipt = await client.waitForTransactionReceipt({ hash, pollingInterval: 10 });
    expect(receipt).toMatchObject({ status: 'reverted' });
    expect(receipt.gasUsed).toBeLessThanOrEqual(CHARGE_GAS_MAX);
    expect(await balanceOf(split)).toBe(before);
  }
});

test('an account that accepts every signature pays only with its own money', async () => {
  const liar = await deploy(accountArtifact, 0);
  await mint(usdc, liar, PRICE);
  const permission = await permit(liar);
  await charge({ permission, value: PRICE, split, periodStart: permission.start, signature: '0x1234' });
  expect(await balanceOf(liar)).toBe(0n);
  const victim = await plainWallet();
  const stolen = await permit(victim.wallet);
  const call = { permission: stolen, value: PRICE, split, periodStart: stolen.start, signature: '0x1234' as Hex };
  expect(await attempt(call)).toMatchObject({ kind: 'refused' });
});

test('an account that calls back during its charge can neither charge, nor spend twice, nor take the forwarded money', async () => {
  const wallet = await deploy(accountArtifact, 4);
  await mint(usdc, wallet, 10n * PRICE);
  const permission = await permit(wallet, { allowance: String(PRICE) });
  const call: ChargeCall = { permission, value: PRICE, split, periodStart: permission.start, signature: '0x1234' };
  const armAbi = parseAbi(['function arm(address target, bytes call)']);
  const arm = (target: Wallet, data: Hex) =>
    send(funder, {
      to: wallet,
      data: encodeFunctionData({ abi: armAbi, functionName: 'arm', args: [toAddress(target), data] }),
    });
  await arm(charger, chargeTransaction(charger, call).data);
  await expectRefused(call, 'NotOwner');
  const take = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transferFrom',
    args: [toAddress(charger), toAddress(wallet), PRICE],
  });
  await arm(usdc, take);
  expect(await attempt(call)).toMatchObject({ kind: 'refused' });
  // A split that receives more than the value is refused as well: it would hide a loss elsewhere.
  await arm(usdc, encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [toAddress(split), 1n] }));
  await expectRefused(call, 'NotForwarded');
});
