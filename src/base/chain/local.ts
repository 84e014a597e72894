import { encodeFunctionData, type Hash } from 'viem';
import { keptBy } from '../core/kept.ts';
import { isLocalChain, LOCAL_CHAIN_ID, SLOW_CHAIN_ID } from '../core/local-chains.ts';
import type { Wallet } from '../core/wallet.ts';
import { toAddress } from './address.ts';
import { planCharger } from './charger.ts';
import { type Chain, createChain } from './client.ts';
import type { TransactionCall } from './create2.ts';
import { deployOnce } from './deploy-once.ts';
import { type LocalRole, localAccount } from './local-accounts.ts';
import { receiptFactoryDeployment } from './receipt-record.ts';
import { createSender, type Sender } from './sender.ts';
import { accountFactory } from './spend-permission-account.ts';
import { localManager } from './spend-permissions.ts';
import { slowChainTokens, testTokenAbi, testTokens } from './test-token.ts';
import { defaultTokens } from './tokens.ts';
import { transferCall } from './transfer-call.ts';

/**
 * Deploys the missing contracts: test tokens, the factory of receipts' addresses, and for recurring plans the manager,
 * the charger and a factory of smart accounts. Idempotent, also across processes. Throws `chain_unavailable`.
 */
export async function prepareLocalChain(rpcUrl: string, chainId: number = LOCAL_CHAIN_ID): Promise<void> {
  const tokens = defaultTokens(chainId);
  const chain = createChain({ chainId, rpcUrl, tokens, confirmations: 0 });
  const deployer = localSender(chain, 'deployer');
  const charger = planCharger(localManager.address, localAccount('spender').address);
  const testTokensThere = chainId === SLOW_CHAIN_ID ? slowChainTokens : testTokens;
  const deployments = [...testTokensThere, localManager, charger, accountFactory, receiptFactoryDeployment()];
  await Promise.all(deployments.map((deployment) => deployOnce(chain, deployer, deployment)));
}

/** Mints test tokens, in base units, and waits for the transaction's first block. */
export async function mintTestTokens(chain: Chain, symbol: string, to: Wallet, amount: bigint): Promise<Hash> {
  const deployer = localSender(chain, 'deployer');
  const hash = await sendOrThrow(deployer, mintTransaction(chain, symbol, to, amount));
  const status = await deployer.waitFor(hash);
  if (status !== 'success') throw new Error(`Minting ${symbol}: the transaction is ${status}`);
  return hash;
}

/** Sends an account whole units of every test token of a local chain, and does not wait for their block. */
export async function giveTestTokens(chain: Chain, to: Wallet, units: bigint): Promise<void> {
  const deployer = localSender(chain, 'deployer');
  for (const { symbol, address, decimals } of chain.tokens)
    if (address !== null)
      await sendOrThrow(deployer, mintTransaction(chain, symbol, to, units * 10n ** BigInt(decimals)));
}

export interface TestPayment {
  /** A symbol of the chain's tokens; ETH is the native coin. */
  readonly token: string;
  readonly to: Wallet;
  /** In base units. */
  readonly amount: bigint;
}

/**
 * Pays from a test buyer's account, after minting the tokens to it. Resolves with the hash once the transaction is
 * sent.
 */
export async function payFromTestWallet(chain: Chain, { token, to, amount }: TestPayment): Promise<Hash> {
  const buyer = localSender(chain, 'buyer');
  const address = tokenAddress(chain, token);
  if (address !== null) await sendOrThrow(buyer, mintTransaction(chain, token, buyer.address, amount));
  return sendOrThrow(buyer, transferCall({ address }, to, amount));
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

const sendersOf = keptBy('senders of the local chain', (_chain: Chain) => new Map<LocalRole, Sender>());

/** One sender per role, so that concurrent payments get different nonces. */
function localSender(chain: Chain, role: LocalRole): Sender {
  if (!isLocalChain(chain.chainId)) throw new Error(`Test accounts are not allowed on chain ${chain.chainId}`);
  const senders = sendersOf(chain);
  const sender = senders.get(role) ?? createSender(chain, localAccount(role).privateKey);
  senders.set(role, sender);
  return sender;
}
