import { encodeFunctionData, type Hex, type Log, parseAbi, parseEventLogs } from 'viem';
import type { Recipient } from '../core/shares.ts';
import type { Wallet } from '../core/wallet.ts';
import { toAddress, toWallet } from './address.ts';
import { askStranger } from './ask-stranger.ts';
import { readBalance } from './balances.ts';
import { assertChainId, type Chain, reach } from './client.ts';
import artifact from './contracts/payment-splitter.json' with { type: 'json' };
import type { TransactionCall } from './create2.ts';

/**
 * The functions and events of OpenZeppelin's PaymentSplitter that are used. Overloads with `token` concern that ERC-20
 * token, the others the native coin.
 */
const splitterAbi = parseAbi([
  'function release(address account)',
  'function release(address token, address account)',
  'function released(address account) view returns (uint256)',
  'function released(address token, address account) view returns (uint256)',
  'function shares(address account) view returns (uint256)',
  'function totalReleased() view returns (uint256)',
  'function totalReleased(address token) view returns (uint256)',
  'function totalShares() view returns (uint256)',
  'event PaymentReleased(address to, uint256 amount)',
  'event ERC20PaymentReleased(address indexed token, address to, uint256 amount)',
]);

/** Whether there is code at the address at the block (default: the latest). Throws `chain_unavailable`. */
export async function isDeployed(chain: Chain, address: Wallet, blockNumber?: bigint): Promise<boolean> {
  const [code] = await reach(
    Promise.all([chain.client.getCode({ address: toAddress(address), blockNumber }), assertChainId(chain)]),
  );
  return code !== undefined;
}

/**
 * Whether the code has all confirmations, so that an ordinary reorganization cannot remove it. Throws
 * `chain_unavailable`.
 */
export async function isFinallyDeployed(chain: Chain, address: Wallet): Promise<boolean> {
  const final = (await reach(chain.client.getBlockNumber())) - BigInt(chain.confirmations);
  return final >= 0n && isDeployed(chain, address, final);
}

/** Why a split contract is not accepted, as a sentence for the caller; null if it is accepted. */
export type SplitterProblem = string | null;

/**
 * Checks that the contract at the address has exactly the known splitter's code, these recipients and these shares.
 * Returns any mismatch as a sentence. Throws `chain_unavailable`.
 */
export async function readSplitterShares(
  chain: Chain,
  address: Wallet,
  recipients: readonly Recipient[],
): Promise<SplitterProblem> {
  const { client } = chain;
  const contract = { abi: splitterAbi, address: toAddress(address) } as const;
  const [code] = await reach(Promise.all([client.getCode(contract), assertChainId(chain)]));
  if (code === undefined) return `There is no contract at ${address}`;
  if (code !== artifact.deployedBytecode) return `The contract at ${address} is not a known PaymentSplitter`;

  const [total, ...shares] = await reach(
    Promise.all([
      client.readContract({ ...contract, functionName: 'totalShares' }),
      ...recipients.map((recipient) =>
        client.readContract({ ...contract, functionName: 'shares', args: [toAddress(recipient.address)] }),
      ),
    ]),
  );
  for (const [i, recipient] of recipients.entries()) {
    if (shares[i] !== BigInt(recipient.sharesBps)) {
      return `${recipient.address} holds ${shares[i]} shares of the contract at ${address}, not ${recipient.sharesBps}`;
    }
  }
  const listed = recipients.reduce((sum, { sharesBps }) => sum + BigInt(sharesBps), 0n);
  if (total !== listed)
    return `The contract at ${address} has ${total} shares, but the given recipients hold ${listed}`;
  return null;
}

/**
 * Pays a payee the amount that is due. Any account may send it. It reverts if nothing is due. `token` null is the
 * native coin.
 */
export function releaseTransaction(split: Wallet, token: Wallet | null, payee: Wallet): TransactionCall {
  const account = toAddress(payee);
  const args = token === null ? ([account] as const) : ([toAddress(token), account] as const);
  return { to: split, data: encodeFunctionData({ abi: splitterAbi, functionName: 'release', args }) };
}

/**
 * Whether a transaction's logs contain a release by the split. A call to an address without code succeeds without logs.
 */
export function hasReleased(split: Wallet, logs: readonly Log[]): boolean {
  const own = logs.filter(({ address }) => toWallet(address) === split);
  return parseEventLogs({ abi: splitterAbi, logs: own }).length > 0;
}

/** The gas limit of one release. The payee's own code runs in it, and the settlement wallet pays. */
export const RELEASE_GAS_MAX = 300_000n;

/**
 * Whether the payee's contract runs out of `RELEASE_GAS_MAX` when it receives coins, rather than rejecting them. The
 * split's revert is the same in both cases. Throws `chain_unavailable`.
 */
export async function runsOutOfGas(chain: Chain, split: Wallet, payee: Wallet, value: bigint): Promise<boolean> {
  const asked = await askStranger(chain, { from: split, to: payee, value, gas: RELEASE_GAS_MAX });
  return asked.kind === 'failed' && asked.ranOutOfGas;
}

/**
 * The amount released to each payee, in base units, at the block (default: the latest); 0 while the contract is not
 * deployed. Throws `chain_unavailable`.
 */
export async function readReleased(
  chain: Chain,
  split: Wallet,
  token: Wallet | null,
  payees: readonly Wallet[],
  blockNumber?: bigint,
): Promise<ReadonlyMap<Wallet, bigint>> {
  const read = async (payee: Wallet): Promise<[Wallet, bigint]> => {
    const account = toAddress(payee);
    const args = token === null ? ([account] as const) : ([toAddress(token), account] as const);
    const data = encodeFunctionData({ abi: splitterAbi, functionName: 'released', args });
    return [payee, await readSum(chain, split, data, blockNumber)];
  };
  const [released] = await Promise.all([Promise.all(payees.map(read)), assertChainId(chain)]);
  return new Map(released);
}

/**
 * The total ever received, in base units: the balance plus the released amounts. Also correct before the deployment.
 * Throws `chain_unavailable`.
 */
export async function readReceived(
  chain: Chain,
  split: Wallet,
  token: Wallet | null,
  blockNumber?: bigint,
): Promise<bigint> {
  const at = blockNumber ?? (await reach(chain.client.getBlockNumber()));
  const args = token === null ? ([] as const) : ([toAddress(token)] as const);
  const data = encodeFunctionData({ abi: splitterAbi, functionName: 'totalReleased', args });
  const [held, released] = await Promise.all([
    readBalance(chain, split, token, at),
    readSum(chain, split, data, at),
    assertChainId(chain),
  ]);
  return held + released;
}

/**
 * The amount that can be released to each recipient, in base units, at the block (default: the latest). Before the
 * deployment it is the amount that a deployment and a release would pay. `coming` is counted as if the split had
 * received it already. Throws `chain_unavailable`.
 */
export async function readReleasable(
  chain: Chain,
  split: Wallet,
  token: Wallet | null,
  recipients: readonly Recipient[],
  blockNumber?: bigint,
  coming = 0n,
): Promise<ReadonlyMap<Wallet, bigint>> {
  const at = blockNumber ?? (await reach(chain.client.getBlockNumber()));
  const payees = recipients.map(({ address }) => address);
  const [received, released] = await Promise.all([
    readReceived(chain, split, token, at),
    readReleased(chain, split, token, payees, at),
  ]);
  const totalShares = recipients.reduce((sum, { sharesBps }) => sum + sharesBps, 0);
  return new Map(
    recipients.map(({ address, sharesBps }) => [
      address,
      dueAt(received + coming, sharesBps, totalShares) - (released.get(address) ?? 0n),
    ]),
  );
}

/** Far above what one look-up of a splitter takes. */
const SUM_GAS_MAX = 100_000n;

/**
 * Reads a sum of a splitter: 0 from an address without code, which returns no data, and from a contract that is no
 * splitter, which reverts or answers something else. A merchant chooses the address of a split that is not verified.
 */
async function readSum(chain: Chain, split: Wallet, data: Hex, blockNumber?: bigint): Promise<bigint> {
  const asked = await askStranger(chain, { to: split, data, gas: SUM_GAS_MAX, blockNumber });
  return asked.kind === 'returned' && asked.data.length === 66 ? BigInt(asked.data) : 0n;
}

/** A payee's part of the total received, in base units, rounded down as the contract does. */
export function dueAt(totalReceived: bigint, sharesBps: number, totalShares: number): bigint {
  return (totalReceived * BigInt(sharesBps)) / BigInt(totalShares);
}

/**
 * A payee's part of the payment that raised the total from `totalBefore` to `totalAfter`. The parts of successive
 * payments add up exactly to what the contract owes: a fraction lost in one payment is part of a later one.
 */
export function owedFor(totalBefore: bigint, totalAfter: bigint, sharesBps: number, totalShares: number): bigint {
  return dueAt(totalAfter, sharesBps, totalShares) - dueAt(totalBefore, sharesBps, totalShares);
}
