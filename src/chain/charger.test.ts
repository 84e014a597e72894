import {
  type Abi,
  concat,
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  hexToBigInt,
  maxUint256,
  numberToHex,
  parseAbi,
  parseSignature,
  serializeErc6492Signature,
  size,
  slice,
  zeroAddress,
} from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Wallet } from '../core/wallet.ts';
import { toAddress, toWallet } from './address.ts';
import { type Attempt, CHARGE_GAS_MAX, tryCharge } from './charge-attempt.ts';
import { type ChargeCall, chargerAbi, chargeTransaction, planCharger, revokeAsSpenderTransaction } from './charger.ts';
import accountArtifact from './contracts/hostile-account.json' with { type: 'json' };
import tokenArtifact from './contracts/hostile-token.json' with { type: 'json' };
import silentArtifact from './contracts/silent-token.json' with { type: 'json' };
import { deploymentTransaction } from './create2.ts';
import { localAccount } from './local.ts';
import { createSender, type Sender } from './sender.ts';
import { accountFactory, accountOf, createAccountTransaction, executeTransaction } from './spend-permission-account.ts';
import {
  hashSpendPermission,
  isRevoked,
  localManager,
  periodAt,
  revokeAsAccountTransaction,
  type SpendPermission,
  spendPermissionTypedData,
} from './spend-permissions.ts';
import { startTestChain, type TestChain } from './test/anvil.ts';

const PERIOD_S = 604_800;
const PRICE = 10_000_000n;
const manager = localManager.address;
const owner = localAccount('spender');
const charger = planCharger(manager, owner.address).address;
const split = `0x${'5b'.repeat(20)}` as Wallet;

let local: TestChain;
let usdc: Wallet;
let spender: Sender;
let funder: Sender;

beforeAll(async () => {
  local = await startTestChain();
  usdc = local.chain.tokens[0]!.address!;
  spender = createSender(local.chain, owner.privateKey);
  funder = createSender(local.chain, localAccount('buyer', 4).privateKey);
});
afterAll(() => local.stop());

const mintAbi = parseAbi(['function mint(address to, uint256 amount)']);

async function send(sender: Sender, transaction: Parameters<Sender['send']>[0]): Promise<Hex> {
  const { hash, revertReason } = await sender.send(transaction);
  if (hash === null) throw new Error(revertReason);
  expect(await sender.waitFor(hash)).toBe('success');
  return hash;
}

async function deploy(artifact: { abi: unknown; bytecode: string }, ...args: unknown[]): Promise<Wallet> {
  const data = encodeDeployData({ abi: artifact.abi as Abi, bytecode: artifact.bytecode as Hex, args });
  const account = privateKeyToAccount(localAccount('buyer', 4).privateKey);
  const { client } = local.chain;
  const nonce = await client.getTransactionCount({ address: account.address });
  const fees = await client.estimateFeesPerGas();
  const raw = await account.signTransaction({ type: 'eip1559', chainId: 31337, data, nonce, gas: 5_000_000n, ...fees });
  const hash = await client.sendRawTransaction({ serializedTransaction: raw });
  const { contractAddress } = await client.waitForTransactionReceipt({ hash, pollingInterval: 10 });
  return toWallet(contractAddress!);
}

const mint = (token: Wallet, to: Wallet, amount: bigint) =>
  send(funder, {
    to: token,
    data: encodeFunctionData({ abi: mintAbi, functionName: 'mint', args: [toAddress(to), amount] }),
  });

const balanceOf = (wallet: Wallet, token = usdc) =>
  local.chain.client.readContract({
    abi: erc20Abi,
    address: toAddress(token),
    functionName: 'balanceOf',
    args: [toAddress(wallet)],
  });

const nowS = async () => Number((await local.chain.client.getBlock()).timestamp);

interface Payer {
  readonly key: PrivateKeyAccount;
  readonly sender: Sender;
  readonly wallet: Wallet;
}

/** A plain wallet with tokens, that has approved the charger. */
async function plainWallet(token = usdc, allowance = maxUint256): Promise<Payer> {
  const privateKey = generatePrivateKey();
  const key = privateKeyToAccount(privateKey);
  const wallet = toWallet(key.address);
  await local.control.setBalance({ address: key.address, value: 10n ** 18n });
  await mint(token, wallet, 100n * PRICE);
  const sender = createSender(local.chain, privateKey);
  await send(sender, {
    to: token,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [toAddress(charger), allowance] }),
  });
  return { key, sender, wallet };
}

/** A smart account with tokens, of which the manager is an owner; deployed unless told otherwise. */
async function smartAccount({ deployed = true, withManager = true } = {}): Promise<Payer & { owners: Wallet[] }> {
  const privateKey = generatePrivateKey();
  const key = privateKeyToAccount(privateKey);
  const owners = [toWallet(key.address), ...(withManager ? [manager] : [])];
  const wallet = accountOf(owners);
  await local.control.setBalance({ address: key.address, value: 10n ** 18n });
  if (deployed) await send(funder, createAccountTransaction(owners));
  await mint(usdc, wallet, 100n * PRICE);
  return { key, sender: createSender(local.chain, privateKey), wallet, owners };
}

async function permit(account: Wallet, more: Partial<SpendPermission> = {}): Promise<SpendPermission> {
  const start = await nowS();
  return {
    account,
    spender: charger,
    token: usdc,
    allowance: String(PRICE * 3n),
    period: PERIOD_S,
    start,
    end: start + 10 * PERIOD_S,
    salt: '0',
    extraData: '0x',
    ...more,
  };
}

const sign = (key: PrivateKeyAccount, permission: SpendPermission) =>
  key.signTypedData(spendPermissionTypedData(31337, manager, permission));

async function callOf(
  payer: Payer,
  more: Partial<SpendPermission> = {},
  charge: Partial<ChargeCall> = {},
): Promise<ChargeCall> {
  const permission = await permit(payer.wallet, more);
  return {
    permission,
    value: PRICE,
    split,
    periodStart: permission.start,
    signature: await sign(payer.key, permission),
    ...charge,
  };
}

const attempt = (call: ChargeCall): Promise<Attempt> => tryCharge(local.chain, charger, owner.address, call);
const charge = (call: ChargeCall) => send(spender, chargeTransaction(charger, call));

/** That the charge is refused with the contract's error, and moves nothing where it is sent all the same. */
async function expectRefused(call: ChargeCall, error: string | RegExp): Promise<void> {
  const tried = await attempt(call);
  expect(tried.kind).toBe('refused');
  const { error: name, reason } = tried as Extract<Attempt, { kind: 'refused' }>;
  if (typeof error === 'string') expect(name).toBe(error);
  else expect(reason).toMatch(error);
}

async function nextPeriod(seconds = PERIOD_S): Promise<void> {
  await local.control.increaseTime({ seconds });
  await local.control.mine({ blocks: 1 });
}

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

test.each(kinds)('%s pays no more than its allowance, and never nothing', async (_, open) => {
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

test('a plain wallet that takes its approval back, or is short, is not charged', async () => {
  await expectRefused(await callOf(await plainWallet(usdc, PRICE - 1n)), /insufficient allowance/);
  const poor = await plainWallet();
  await send(poor.sender, {
    to: usdc,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [toAddress(split), 100n * PRICE] }),
  });
  await expectRefused(await callOf(poor), /exceeds balance/);
});

test('a smart account that has not made the manager an owner is not charged', async () => {
  expect(await attempt(await callOf(await smartAccount({ withManager: false })))).toMatchObject({ kind: 'refused' });
});

test('a smart account yet to be deployed comes into being with its first charge (ERC-6492)', async () => {
  const payer = await smartAccount({ deployed: false });
  const call = await callOf(payer);
  const { to, data } = createAccountTransaction(payer.owners);
  expect(to).toBe(accountFactory.address);
  await expectRefused(call, 'InvalidSignature');
  const signature = serializeErc6492Signature({ address: toAddress(to), data, signature: call.signature });
  await charge({ ...call, signature });
  expect(await balanceOf(payer.wallet)).toBe(99n * PRICE);
});

test("only the owner charges and revokes, whoever's permission it is", async () => {
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

test('a permission of another spender is not taken', async () => {
  const payer = await plainWallet();
  await expectRefused(await callOf(payer, { spender: toWallet(owner.address as never) }), 'OtherSpender');
});

test("nobody's signature, another's, a changed permission's, a high twin and a shortened one charge nobody", async () => {
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

test('a signature that recovers to nobody does not open the zero address', async () => {
  const call = await callOf(await plainWallet(), { account: zeroAddress as Wallet });
  expect(await attempt({ ...call, signature: `0x${'00'.repeat(64)}1b` })).toMatchObject({ kind: 'refused' });
});

test('two permissions of one wallet are charged apart, each once', async () => {
  const payer = await plainWallet();
  const [first, second] = [await callOf(payer, { salt: '1' }), await callOf(payer, { salt: '2' })];
  await charge(first);
  await charge(second);
  await expectRefused(first, 'AlreadyCharged');
  expect(await balanceOf(payer.wallet)).toBe(98n * PRICE);
});

test.each([
  ['takes a fee from every transfer', 1, 'NotForwarded'],
  ['says no', 2, /./],
  ['says yes and moves nothing', 3, 'NotForwarded'],
])('a token that %s pays no split', async (_, way, error) => {
  const token = await deploy(tokenArtifact, way);
  await expectRefused(await callOf(await plainWallet(token), { token }), error);
});

test('a token that answers nothing, as the oldest do, is charged like any other; what is no token is not', async () => {
  const token = await deploy(silentArtifact);
  const call = await callOf(await plainWallet(token), { token });
  await charge(call);
  expect(await balanceOf(split, token)).toBe(PRICE);
  const nothing = await callOf(await plainWallet(), { token: `0x${'77'.repeat(20)}` as Wallet });
  expect(await attempt(nothing)).toMatchObject({ kind: 'refused' });
});

test('a token cannot charge again from within a charge: not as a stranger, and not where it is the owner itself', async () => {
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

test('an account that does nothing, burns all gas or floods the answer is refused within the bounds of gas, and costs nobody else', async () => {
  for (const way of [1, 2, 3]) {
    const wallet = await deploy(accountArtifact, way);
    await mint(usdc, wallet, PRICE);
    const permission = await permit(wallet);
    const call: ChargeCall = { permission, value: PRICE, split, periodStart: permission.start, signature: '0x1234' };
    expect(await attempt(call), `way ${way}`).toMatchObject({ kind: 'refused' });
    // Sent all the same, it costs its gas and moves nothing.
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

test('an account that lies about signatures pays with its own money only', async () => {
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

test('an account that calls back in while it is charged can neither charge, nor spend twice, nor take what passes through', async () => {
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
  // More for the split than is told would hide a loss elsewhere: it is refused as well.
  await arm(usdc, encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [toAddress(split), 1n] }));
  await expectRefused(call, 'NotForwarded');
});

test('the contract and its reader agree on periods, also in the last one, which the end cuts short', async () => {
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
