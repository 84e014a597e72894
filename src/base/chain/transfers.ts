import {
  type Address,
  formatLog,
  type Hash,
  type Hex,
  type Log,
  numberToHex,
  parseAbiItem,
  parseEventLogs,
  type Transaction,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
  toEventSelector,
  zeroAddress,
} from 'viem';
import type { Wallet } from '../core/wallet.ts';
import { toAddress, toWallet } from './address.ts';
import { type BlockMark, readBlock } from './blocks.ts';
import { assertChainId, type Chain, findError, reach } from './client.ts';
import { readWithin } from './log-range.ts';

/** A transfer to a watched address. */
export interface Transfer {
  readonly blockNumber: bigint;
  readonly blockHash: Hash;
  /** The block's time, epoch milliseconds. */
  readonly blockTimeMs: number;
  readonly transactionHash: Hash;
  /** The index within the whole block. It may change in a reorg. */
  readonly logIndex: number;
  /** The ERC-20 contract; null is the native coin. */
  readonly tokenAddress: Wallet | null;
  readonly symbol: string;
  readonly from: Wallet;
  readonly to: Wallet;
  /** In base units, never zero. */
  readonly value: bigint;
}

/** The addresses whose transfers are looked for. */
export interface Watchlist {
  /** The splitters among them. They log the native coins that they receive. */
  readonly splitters: ReadonlySet<Wallet>;
  /** Whether the coins that addresses of receipts send on are read too, by their own log: its `from` is its `to`. */
  readonly readsSweeps: boolean;
  /** All of them, for a filter; null if they are more than `limit`. */
  listed(limit: number): Promise<readonly Wallet[] | null>;
  /** Those that are among the candidates. */
  among(candidates: readonly Wallet[]): Promise<ReadonlySet<Wallet>>;
}

/** A watchlist of exactly these addresses. */
export const watchlistOf = (addresses: ReadonlySet<Wallet>): Watchlist => ({
  splitters: addresses,
  readsSweeps: false,
  listed: async (limit) => (addresses.size > limit ? null : [...addresses]),
  among: async () => addresses,
});

export interface TransferRange {
  readonly fromBlock: bigint;
  /** Included. */
  readonly toBlock: bigint;
  readonly watchlist: Watchlist;
}

const transferEvent = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)');

/** A splitter logs the native coins that it receives. There is no other log of native coins. */
const paymentReceivedEvent = parseAbiItem('event PaymentReceived(address from, uint256 amount)');

/** The address of a receipt logs what it sends to its split. */
const sweptEvent = parseAbiItem('event Swept(address indexed token, uint256 amount)');

const TRANSFER_TOPIC = toEventSelector(transferEvent);
const PAYMENT_RECEIVED_TOPIC = toEventSelector(paymentReceivedEvent);
const SWEPT_TOPIC = toEventSelector(sweptEvent);

type PaymentLog =
  | Log<bigint, number, false, typeof transferEvent, true>
  | Log<bigint, number, false, typeof paymentReceivedEvent, true>
  | Log<bigint, number, false, typeof sweptEvent, true>;

/** The most values in one topic of a filter: geth refuses more. */
const FILTERED_ADDRESSES_MAX = 1_000;
/** Up to this many blocks, reading all transfers of the tokens costs less than several filtered reads. */
const SHORT_BLOCKS = 8;
/** Beyond so many filters, reading all transfers of the tokens costs less in a long range too. */
const FILTERS_MAX = 20;

/**
 * The transfers to the watchlist within the blocks, in the chain's tokens and its native coin, ordered by block and log
 * index. `'moved'`: the chain was reorganized during the read. `'too_large'`: the node could not read so many blocks;
 * `chain.logRange` is smaller now. Native coins are found where a splitter logs them. Throws `chain_unavailable`.
 */
export async function readTransfers(chain: Chain, range: TransferRange): Promise<Transfer[] | 'moved' | 'too_large'> {
  const { splitters } = range.watchlist;
  const limit = FILTERED_ADDRESSES_MAX * (isLong(range) ? FILTERS_MAX : 1);
  const listed = await range.watchlist.listed(limit);
  if (listed?.length === 0) return [];
  const logs = await readLogs(chain, range, listed, splitters.size > limit ? null : [...splitters]);
  return logs === 'too_large' ? logs : locate(chain, await paymentsIn(chain, logs, range.watchlist));
}

const blocksIn = ({ fromBlock, toBlock }: TransferRange): number => Number(toBlock - fromBlock) + 1;
const isLong = (range: TransferRange): boolean => blocksIn(range) > SHORT_BLOCKS;

/** Reads the logs of a range, filtered unless there are too many addresses, and adapts the size of the next read. */
async function readLogs(
  chain: Chain,
  range: TransferRange,
  listed: readonly Wallet[] | null,
  splitters: readonly Wallet[] | null,
): Promise<PaymentLog[] | 'too_large'> {
  // Reading the head has checked the chain id. A long read is one of many after it, so it checks again.
  const proof = isLong(range) ? assertChainId(chain) : undefined;
  const reads = () =>
    Promise.all([
      ...filtersOf(listed).map((to) => readTokenLogs(chain, range, to)),
      ...filtersOf(splitters).map((emitters) => readNativeLogs(chain, range, [PAYMENT_RECEIVED_TOPIC], emitters)),
      ...(range.watchlist.readsSweeps ? [readNativeLogs(chain, range, [SWEPT_TOPIC, topicOf(zeroAddress)])] : []),
    ]);
  // Both may share a request, which fails as a whole if the read is too large.
  proof?.catch(() => {});
  const logs = await reach(readWithin(chain.logRange, blocksIn(range), reads));
  if (logs === 'too_large') return logs;
  await proof;
  return logs.flat();
}

/** The addresses in parts that a node accepts. `undefined`: no filter. */
function filtersOf(addresses: readonly Wallet[] | null): (Address[] | undefined)[] {
  if (addresses === null) return [undefined];
  const all = addresses.map(toAddress);
  return Array.from({ length: Math.ceil(all.length / FILTERED_ADDRESSES_MAX) }, (_, i) =>
    all.slice(i * FILTERED_ADDRESSES_MAX, (i + 1) * FILTERED_ADDRESSES_MAX),
  );
}

async function readTokenLogs(chain: Chain, range: TransferRange, to: Address[] | undefined): Promise<PaymentLog[]> {
  const address = chain.tokens.flatMap(({ address }) => (address === null ? [] : [toAddress(address)]));
  if (address.length === 0) return [];
  return getLogs(chain, range, { address, topics: to ? [TRANSFER_TOPIC, null, to.map(topicOf)] : [TRANSFER_TOPIC] });
}

async function readNativeLogs(
  chain: Chain,
  range: TransferRange,
  topics: Hex[],
  address?: Address[],
): Promise<PaymentLog[]> {
  if (!chain.tokens.some(({ address }) => address === null)) return [];
  return getLogs(chain, range, { ...(address && { address }), topics });
}

interface LogFilter {
  readonly address?: Address[];
  readonly topics: (Hex | Hex[] | null)[];
}

/**
 * Reads logs by a filter whose topics are encoded. viem's `getLogs` encodes each address by the ABI, which takes most
 * of the time of a read with thousands of them.
 */
async function getLogs({ client }: Chain, range: TransferRange, filter: LogFilter): Promise<PaymentLog[]> {
  const [fromBlock, toBlock] = [numberToHex(range.fromBlock), numberToHex(range.toBlock)];
  const logs = await client.request({ method: 'eth_getLogs', params: [{ ...filter, fromBlock, toBlock }] });
  return paymentLogsIn(logs.map((log) => formatLog(log)));
}

/** An address as a topic. */
const topicOf = (address: Address): Hex => `0x000000000000000000000000${address.slice(2)}`;

/** The logs of payments. Drops others, and those whose data does not fit their event. */
const paymentLogsIn = (logs: Log[]): PaymentLog[] =>
  parseEventLogs({ abi: [transferEvent, paymentReceivedEvent, sweptEvent], logs, strict: true });

type Payment = Omit<Transfer, 'blockTimeMs'>;

/**
 * The payments among the logs: to an address of the watchlist, in one of the chain's tokens, of more than 0; in the
 * order of the chain.
 */
async function paymentsIn(chain: Chain, logs: readonly PaymentLog[], watchlist: Watchlist): Promise<Payment[]> {
  const payments = logs
    .filter(({ eventName }) => watchlist.readsSweeps || eventName !== 'Swept')
    .map((log) => paymentIn(chain, log))
    .filter((payment) => payment !== null)
    .filter(({ value }) => value > 0n);
  const watched = await watchlist.among([...new Set(payments.map(({ to }) => to))]);
  return payments
    .filter(({ to }) => watched.has(to))
    .sort((a, b) => Number(a.blockNumber - b.blockNumber) || a.logIndex - b.logIndex);
}

/**
 * Converts a log to a payment. A token logs transfers to others, a splitter its own receipts, the address of a receipt
 * what it sends on, which for a token counts as the transfer. Null if the token is not accepted.
 */
function paymentIn({ tokens }: Chain, log: PaymentLog): Payment | null {
  const { blockNumber, blockHash, transactionHash, logIndex } = log;
  const emitter = toWallet(log.address);
  const [tokenAddress, to, value] =
    log.eventName === 'Transfer' ? [emitter, toWallet(log.args.to), log.args.value] : [null, emitter, log.args.amount];
  const token = tokens.find(({ address }) => address === tokenAddress);
  if (!token || (log.eventName === 'Swept' && log.args.token !== zeroAddress)) return null;
  const from = log.eventName === 'Swept' ? emitter : toWallet(log.args.from);
  return { blockNumber, blockHash, transactionHash, logIndex, tokenAddress, symbol: token.symbol, from, to, value };
}

/**
 * Adds the blocks' times. `'moved'` if a payment's block has been replaced in a reorg since the logs were read. Drops a
 * payment whose transaction is not in its block: the node's log is wrong.
 */
async function locate(chain: Chain, payments: readonly Payment[]): Promise<Transfer[] | 'moved'> {
  const numbers = [...new Set(payments.map(({ blockNumber }) => blockNumber))];
  const blocks = new Map(
    await Promise.all(numbers.map(async (number) => [number, await readBlock(chain, number)] as const)),
  );
  const transfers: Transfer[] = [];
  for (const payment of payments) {
    const block = blocks.get(payment.blockNumber);
    if (block?.hash !== payment.blockHash) return 'moved';
    if (holds(block, payment.transactionHash)) transfers.push({ ...payment, blockTimeMs: block.timeMs });
  }
  return transfers;
}

/** Whether a block contains a transaction. */
export const holds = ({ transactions }: BlockMark, hash: Hash): boolean => transactions.includes(hash);

/**
 * The state of one transaction: `unknown` to the node, `pending` (not in a block, in a block that is being reorganized,
 * or the node contradicts itself), `reverted` or `success`.
 */
export interface TransactionReading {
  readonly status: 'unknown' | 'pending' | 'reverted' | 'success';
  /** The transfers to the watchlist; empty unless it succeeded. */
  readonly transfers: readonly Transfer[];
  /** Null while it is not in a block, like `blockHash`. */
  readonly blockNumber: bigint | null;
  readonly blockHash: Hash | null;
  /** Calldata. Null if the transaction is unknown, like `from`. */
  readonly input: Hex | null;
  readonly from: Wallet | null;
  /** Null if the transaction is unknown or creates a contract. */
  readonly to: Wallet | null;
  /** The native coins that it transfers, in base units. */
  readonly value: bigint;
}

const unknown: TransactionReading = {
  status: 'unknown',
  transfers: [],
  blockNumber: null,
  blockHash: null,
  input: null,
  from: null,
  to: null,
  value: 0n,
};

/** Reads one transaction and its transfers to the watchlist. Throws `chain_unavailable`. */
export async function readTransfersOf(
  chain: Chain,
  transactionHash: Hash,
  watchlist: Watchlist,
): Promise<TransactionReading> {
  const { client } = chain;
  const [transaction, receipt] = await Promise.all([
    orNull(client.getTransaction({ hash: transactionHash })),
    orNull(client.getTransactionReceipt({ hash: transactionHash })),
    assertChainId(chain),
  ]);
  if (transaction === null) return unknown;
  const pending: TransactionReading = { ...unknown, status: 'pending', ...partiesOf(transaction) };
  if (receipt === null) return pending;

  const { status, blockNumber, blockHash } = receipt;
  const logs = paymentLogsIn(receipt.logs);
  const [block, transfers] = await Promise.all([
    readBlock(chain, blockNumber),
    paymentsIn(chain, logs, watchlist).then((payments) => locate(chain, payments)),
  ]);
  if (block?.hash !== blockHash || transfers === 'moved') return pending;
  // Ignore a node that contradicts itself: a reverted transaction cannot transfer anything.
  if (!holds(block, transactionHash) || (status === 'reverted' && transfers.length > 0)) return pending;
  return { ...pending, status, transfers, blockNumber, blockHash };
}

function partiesOf({
  input,
  from,
  to,
  value,
}: Transaction): Pick<TransactionReading, 'input' | 'from' | 'to' | 'value'> {
  return { input, from: toWallet(from), to: to && toWallet(to), value };
}

async function orNull<T>(reads: Promise<T>): Promise<T | null> {
  try {
    return await reach(reads);
  } catch (error) {
    if (findError(error, TransactionNotFoundError, TransactionReceiptNotFoundError)) return null;
    throw error;
  }
}
