import { type Abi, encodeDeployData, encodeFunctionData, erc20Abi, type Hex, maxUint256, parseAbi } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { expect } from 'vitest';
import type { Wallet } from '../../core/wallet.ts';
import { toAddress, toWallet } from '../address.ts';
import { type Attempt, tryCharge } from '../charge-attempt.ts';
import { type ChargeCall, chargeTransaction, planCharger } from '../charger.ts';
import { localAccount } from '../local-accounts.ts';
import { createSender, type Sender } from '../sender.ts';
import { accountOf, createAccountTransaction } from '../spend-permission-account.ts';
import { localManager, type SpendPermission, spendPermissionTypedData } from '../spend-permissions.ts';
import { startTestChain, type TestChain } from './anvil.ts';

export const PERIOD_S = 604_800;
export const PRICE = 10_000_000n;
export const manager = localManager.address;
export const owner = localAccount('spender');
export const charger = planCharger(manager, owner.address).address;
export const split = `0x${'5b'.repeat(20)}` as Wallet;

export let local: TestChain;
export let usdc: Wallet;
export let spender: Sender;
export let funder: Sender;

/** Starts the chain; stop it with `stopPayers`. */
export async function startPayers(): Promise<void> {
  local = await startTestChain();
  usdc = local.chain.tokens[0]!.address!;
  spender = createSender(local.chain, owner.privateKey);
  funder = createSender(local.chain, localAccount('buyer', 4).privateKey);
}
export const stopPayers = () => local?.stop();

const mintAbi = parseAbi(['function mint(address to, uint256 amount)']);

export async function send(sender: Sender, transaction: Parameters<Sender['send']>[0]): Promise<Hex> {
  const { hash, revertReason } = await sender.send(transaction);
  if (hash === null) throw new Error(revertReason);
  expect(await sender.waitFor(hash)).toBe('success');
  return hash;
}

export async function deploy(artifact: { abi: unknown; bytecode: string }, ...args: unknown[]): Promise<Wallet> {
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

export const mint = (token: Wallet, to: Wallet, amount: bigint) =>
  send(funder, {
    to: token,
    data: encodeFunctionData({ abi: mintAbi, functionName: 'mint', args: [toAddress(to), amount] }),
  });

export const balanceOf = (wallet: Wallet, token = usdc) =>
  local.chain.client.readContract({
    abi: erc20Abi,
    address: toAddress(token),
    functionName: 'balanceOf',
    args: [toAddress(wallet)],
  });

export const nowS = async () => Number((await local.chain.client.getBlock()).timestamp);

export interface Payer {
  readonly key: PrivateKeyAccount;
  readonly sender: Sender;
  readonly wallet: Wallet;
}

/** A plain wallet with tokens that has approved the charger. */
export async function plainWallet(token = usdc, allowance = maxUint256): Promise<Payer> {
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

/** A smart account with tokens; by default it is deployed and has the manager as an owner. */
export async function smartAccount({
  deployed = true,
  withManager = true,
} = {}): Promise<Payer & { owners: Wallet[] }> {
  const privateKey = generatePrivateKey();
  const key = privateKeyToAccount(privateKey);
  const owners = [toWallet(key.address), ...(withManager ? [manager] : [])];
  const wallet = accountOf(owners);
  await local.control.setBalance({ address: key.address, value: 10n ** 18n });
  if (deployed) await send(funder, createAccountTransaction(owners));
  await mint(usdc, wallet, 100n * PRICE);
  return { key, sender: createSender(local.chain, privateKey), wallet, owners };
}

export async function permit(account: Wallet, more: Partial<SpendPermission> = {}): Promise<SpendPermission> {
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

export const sign = (key: PrivateKeyAccount, permission: SpendPermission) =>
  key.signTypedData(spendPermissionTypedData(31337, manager, permission));

export async function callOf(
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

export const attempt = (call: ChargeCall): Promise<Attempt> => tryCharge(local.chain, charger, owner.address, call);
export const charge = (call: ChargeCall) => send(spender, chargeTransaction(charger, call));

/** Expects that the simulated charge is refused with the contract's error. */
export async function expectRefused(call: ChargeCall, error: string | RegExp): Promise<void> {
  const tried = await attempt(call);
  expect(tried.kind).toBe('refused');
  const { error: name, reason } = tried as Extract<Attempt, { kind: 'refused' }>;
  if (typeof error === 'string') expect(name).toBe(error);
  else expect(reason).toMatch(error);
}

export async function nextPeriod(seconds = PERIOD_S): Promise<void> {
  await local.control.increaseTime({ seconds });
  await local.control.mine({ blocks: 1 });
}
