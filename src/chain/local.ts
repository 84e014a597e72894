import { encodeFunctionData, erc20Abi, type Hash, type Hex, toHex } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { TEST_MNEMONIC } from '../core/test-mnemonic.ts';
import type { Wallet } from '../core/wallet.ts';
import { weakMemo } from '../core/weak-memo.ts';
import { toAddress, toWallet } from './address.ts';
import { planCharger } from './charger.ts';
import { type Chain, createChain, LOCAL_CHAIN_ID } from './client.ts';
import type { TransactionCall } from './create2.ts';
import { deployOnce } from './deploy-once.ts';
import { createSender, type Sender } from './sender.ts';
import { accountFactory } from './spend-permission-account.ts';
import { localManager } from './spend-permissions.ts';
import { testTokenAbi, testTokens } from './test-token.ts';
import { defaultTokens } from './tokens.ts';

/** Which of the mnemonic's accounts does what; anvil funds the first ten. Buyers come after. */
const accountIndexes = { deployer: 0, spender: 1, settlement: 2, demoMerchant: 3, platform: 4, buyer: 5 } as const;

export type LocalRole = keyof typeof accountIndexes;

export interface LocalAccount {
  readonly address: Wallet;
  readonly privateKey: Hex;
}

/** The account that plays the role on the local chain. There are several buyers: `localAccount('buyer', 1)` is the second. */
export function localAccount(role: LocalRole, nth = 0): LocalAccount {
  const account = mnemonicToAccount(TEST_MNEMONIC, { addressIndex: accountIndexes[role] + nth });
  return { address: toWallet(account.address), privateKey: toHex(account.getHdKey().privateKey!) };
}

/**
 * Deploys the test tokens and what recurring plans stand on (manager, charging contract, a factory of smart accounts) where they are missing; any number
 * of times, by any number of processes. Refuses with `chain_unavailable`.
 */
export async function prepareLocalChain(rpcUrl: string): Promise<void> {
  const tokens = defaultTokens(LOCAL_CHAIN_ID);
  const chain = createChain({ chainId: LOCAL_CHAIN_ID, rpcUrl, tokens, confirmations: 0 });
  const deployer = localSender(chain, 'deployer');
  const charger = planCharger(localManager.address, localAccount('spender').address);
  const deployments = [...testTokens, localManager, charger, accountFactory];
  await Promise.all(deployments.map((deployment) => deployOnce(chain, deployer, deployment)));
}

/** Makes test tokens out of nothing, in base units, and waits until they are there. */
export async function mintTestTokens(chain: Chain, symbol: string, to: Wallet, amount: bigint): Promise<Hash> {
  const deployer = localSender(chain, 'deployer');
  const hash = await sendOrThrow(deployer, mintTransaction(chain, symbol, to, amount));
  const status = await deployer.waitFor(hash);
  if (status !== 'success') throw new Error(`Minting ${symbol}: the transaction is ${status}`);
  return hash;
}

export interface TestPayment {
  /** A symbol of the chain's tokens; ETH is the native coin. */
  readonly token: string;
  readonly to: Wallet;
  /** In base units. */
  readonly amount: bigint;
}

/** Pays as a buyer would, from a test account that is given the tokens first; the hash, as soon as the transaction is sent. */
export async function payFromTestWallet(chain: Chain, { token, to, amount }: TestPayment): Promise<Hash> {
  const buyer = localSender(chain, 'buyer');
  const address = tokenAddress(chain, token);
  if (address === null) return sendOrThrow(buyer, { to, value: amount });
  await sendOrThrow(buyer, mintTransaction(chain, token, buyer.address, amount));
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [toAddress(to), amount] });
  return sendOrThrow(buyer, { to: address, data });
}

function mintTransaction(chain: Chain, symbol: string, to: Wallet, amount: bigint): TransactionCall {
  const address = tokenAddress(chain, symbol);
  if (address === null) throw new Error(`${symbol} is the native coin, which cannot be minted`);
  const data = encodeFunctionData({ abi: testTokenAbi, functionName: 'mint', args: [toAddress(to), amount] });
  return { to: address, data };
}

function tokenAddress({ tokens }: Chain, symbol: string): Wallet | null {
  const token = tokens.find((candidate) => candidate.symbol === symbol);
  if (!token) throw new Error(`The chain has no token ${symbol}`);
  return token.address;
}

async function sendOrThrow(sender: Sender, transaction: Parameters<Sender['send']>[0]): Promise<Hash> {
  const { hash, revertReason } = await sender.send(transaction);
  if (hash === null) throw new Error(revertReason);
  return hash;
}

const sendersOf = weakMemo((_chain: Chain) => new Map<LocalRole, Sender>());

/** One sender a role, so that payments made at the same time do not fight over a nonce. */
function localSender(chain: Chain, role: LocalRole): Sender {
  if (chain.chainId !== LOCAL_CHAIN_ID) throw new Error(`Test accounts have no place on chain ${chain.chainId}`);
  const senders = sendersOf(chain);
  const sender = senders.get(role) ?? createSender(chain, localAccount(role).privateKey);
  senders.set(role, sender);
  return sender;
}
