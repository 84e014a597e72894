import { randomBytes } from 'node:crypto';
import {
  type Abi,
  createWalletClient,
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  type Hash,
  type Hex,
  http,
  parseAbi,
  type TransactionReceipt,
  toHex,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import type { Wallet } from '../../core/wallet.ts';
import { toAddress, toWallet } from '../address.ts';
import { readBalance } from '../balances.ts';
import type { Chain } from '../client.ts';
import type { TransactionCall } from '../create2.ts';
import { deployOnce } from '../deploy-once.ts';
import { localAccount } from '../local-accounts.ts';
import { planSplitter } from '../plan-splitter.ts';
import { receiptAddress, receiptSalt } from '../receipt-address.ts';
import { collectCall, RECEIPT_FACTORY, receiptFactoryDeployment } from '../receipt-record.ts';
import { createSender } from '../sender.ts';
import { transferCall } from '../transfer-call.ts';
import { startTestChain, type TestChain } from './anvil.ts';

export let local: TestChain;
export let chain: Chain;
export let usdc: Wallet;

/** Starts a chain with the factory; stop it with `stopReceipts`. */
export async function startReceipts(): Promise<void> {
  local = await startTestChain();
  ({ chain } = local);
  usdc = chain.tokens[0]!.address!;
  await deployOnce(chain, settlement(), receiptFactoryDeployment());
}
export const stopReceipts = () => local?.stop();

const settlement = () => createSender(chain, localAccount('settlement').privateKey);

const SERVER = localAccount('settlement');
export const STRANGER = localAccount('buyer', 3);

interface Options {
  readonly by?: { readonly privateKey: Hex };
  /** Estimated by default, without anything to spare. */
  readonly gas?: bigint;
  /** The higher one is first in a block. */
  readonly priority?: bigint;
}

/** Sends a transaction, and does not wait for its block. */
export async function submit(
  { to, data, value }: Partial<TransactionCall>,
  { by = SERVER, gas, priority = 1n }: Options = {},
): Promise<Hash> {
  const account = privateKeyToAccount(by.privateKey);
  const wallet = createWalletClient({ account, transport: http(local.rpcUrl) });
  const target = to === undefined ? null : toAddress(to);
  const fees = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: priority };
  return wallet.sendTransaction({ chain: null, to: target, data, value, gas, ...fees });
}

/** Sends a transaction and waits for its block. Throws if the estimate of its gas reverts. */
export async function transact(call: Partial<TransactionCall>, options: Options = {}): Promise<TransactionReceipt> {
  return receiptOf(await submit(call, options));
}

export const receiptOf = (hash: Hash) => chain.client.waitForTransactionReceipt({ hash, pollingInterval: 10 });

interface Artifact {
  readonly abi: unknown;
  readonly bytecode: string;
}

export async function deploy({ abi, bytecode }: Artifact, ...args: unknown[]): Promise<Wallet> {
  const data = encodeDeployData({ abi: abi as Abi, bytecode: bytecode as Hex, args });
  return toWallet((await transact({ data })).contractAddress!);
}

/** A call of a contract by its artifact. */
export const callOf = (
  { abi }: Pick<Artifact, 'abi'>,
  to: Wallet,
  functionName: string,
  args: readonly unknown[] = [],
  value?: bigint,
): TransactionCall => ({ to, data: encodeFunctionData({ abi: abi as Abi, functionName, args }), value });

export const newWallet = (): Wallet => toWallet(privateKeyToAddress(generatePrivateKey()));

/** A split of new payees, or of these, in the given shares. */
export async function newSplit({
  payees = [newWallet(), newWallet()],
  shares = [9_950, 50],
  deployed = true,
}: {
  payees?: readonly Wallet[];
  shares?: readonly number[];
  deployed?: boolean;
} = {}): Promise<Split> {
  const recipients = payees.map((address, i) => ({ address, sharesBps: shares[i]! }));
  const plan = planSplitter({ merchant: newWallet(), recipients });
  if (deployed) await deployOnce(chain, settlement(), plan);
  return { address: plan.address, payees, recipients, plan };
}

export interface Split {
  readonly address: Wallet;
  readonly payees: readonly Wallet[];
  readonly recipients: readonly { readonly address: Wallet; readonly sharesBps: number }[];
  readonly plan: ReturnType<typeof planSplitter>;
}

export interface TestReceipt {
  readonly address: Wallet;
  readonly salt: Hash;
}

/** Addresses of new receipts of a split. */
export const newReceipts = (split: Wallet, count: number): TestReceipt[] =>
  Array.from({ length: count }, () => {
    const parts = { merchant: newWallet(), receiptId: toHex(randomBytes(8)), createdAt: 1_790_000_000_000, number: 0 };
    return { address: receiptAddress({ factory: RECEIPT_FACTORY, split, ...parts }), salt: receiptSalt(parts) };
  });

const mintAbi = parseAbi(['function mint(address to, uint256 amount)']);

/** Gives an account tokens, or sends it coins. */
export const payment = (to: Wallet, token: Wallet | null, amount: bigint): TransactionCall =>
  token === null
    ? transferCall({ address: null }, to, amount)
    : callOf({ abi: mintAbi }, token, 'mint', [toAddress(to), amount]);

export const pay = (to: Wallet, token: Wallet | null, amount: bigint, options: Options = {}) =>
  transact(payment(to, token, amount), options);

export const collectOf = (
  split: Pick<Split, 'address' | 'payees'>,
  token: Wallet | null,
  receipts: readonly TestReceipt[],
): TransactionCall =>
  collectCall({
    factory: RECEIPT_FACTORY,
    split: split.address,
    token,
    salts: receipts.map(({ salt }) => salt),
    payees: split.payees,
  });

export const collect = (
  split: Pick<Split, 'address' | 'payees'>,
  token: Wallet | null,
  receipts: readonly TestReceipt[],
  options: Options = {},
) => transact(collectOf(split, token, receipts), options);

const forwarderAbi = parseAbi(['function sweep(address token)', 'event Swept(address indexed token, uint256 amount)']);
const COIN = `0x${'0'.repeat(40)}` as Wallet;

/** The call of an address itself, which has code. */
export const sweepOf = (receipt: Wallet, token: Wallet | null): TransactionCall =>
  callOf({ abi: forwarderAbi }, receipt, 'sweep', [toAddress(token ?? COIN)]);

export const balanceOf = async (account: Wallet, token: Wallet | null): Promise<bigint> =>
  readBalance(chain, account, token, await chain.client.getBlockNumber({ cacheTime: 0 }));

export const balancesOf = (accounts: readonly { readonly address: Wallet }[], token: Wallet | null) =>
  Promise.all(accounts.map(({ address }) => balanceOf(address, token)));

export const hasCode = async (address: Wallet): Promise<boolean> =>
  (await chain.client.getCode({ address: toAddress(address) })) !== undefined;

/** The amounts that an address has logged as swept, with their tokens, the oldest first. */
export const sweptFrom = async (receipt: Wallet): Promise<[Wallet | null, bigint][]> => {
  const event = forwarderAbi[1];
  const logs = await chain.client.getLogs({ address: toAddress(receipt), event, strict: true, fromBlock: 0n });
  return logs.map(({ args }) => [toWallet(args.token) === COIN ? null : toWallet(args.token), args.amount]);
};

/** The gas of a transaction; the chain is as it was before. */
export async function gasOf(call: Partial<TransactionCall>): Promise<bigint> {
  const id = await local.control.snapshot();
  const { gasUsed, status } = await transact(call);
  if (status !== 'success') throw new Error(`The transaction is ${status}`);
  await local.control.revert({ id });
  return gasUsed;
}

/** The transfers of a token that the split got, or of coins, the oldest first: amounts. */
export async function arrivalsAt(split: Wallet, token: Wallet | null): Promise<bigint[]> {
  if (token === null) {
    const [event] = parseAbi(['event PaymentReceived(address from, uint256 amount)']);
    const logs = await chain.client.getLogs({ address: toAddress(split), event, strict: true, fromBlock: 0n });
    return logs.map(({ args }) => args.amount);
  }
  const event = erc20Abi.find((entry) => entry.type === 'event' && entry.name === 'Transfer')!;
  const args = { to: toAddress(split) };
  const logs = await chain.client.getLogs({ address: toAddress(token), event, args, strict: true, fromBlock: 0n });
  return logs.map((log) => (log.args as { value: bigint }).value);
}
