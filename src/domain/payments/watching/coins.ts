import { sql } from 'kysely';
import type { Hash } from 'viem';
import { toAddress, toWallet } from '../../../base/chain/address.ts';
import { readBalance } from '../../../base/chain/balances.ts';
import { type BlockMark, readBlock } from '../../../base/chain/blocks.ts';
import { assertChainId, type Chain, reach } from '../../../base/chain/client.ts';
import { readCoinBalances } from '../../../base/chain/receipt-address.ts';
import type { Token } from '../../../base/chain/token.ts';
import type { Transfer } from '../../../base/chain/transfers.ts';
import { coinPlace } from '../../../base/core/coin-place.ts';
import { type Wallet, ZERO_WALLET } from '../../../base/core/wallet.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';
import { type MatchDeps, recordTransfer } from '../matching/match.ts';
import type { TransferRow } from '../transfers/core/transfer-row.ts';
import { findRises } from '../transfers/core/weigh.ts';

/*
 * Coins that arrive at the address of a receipt leave no log. What an address has received in coins is its balance plus
 * what was collected from it; that sum never falls. Where it is above what was recorded, coins have arrived.
 */

/** No state older than this is read: ordinary nodes keep about 128. */
const STATES = 64;

/** A coin that is still at its address at the end of a block comes after everything in the block, else before. */
const [BEFORE, AFTER] = [-1, 2_000_000_000];

interface Recorded {
  readonly chainId: number;
  readonly token: string;
  readonly addresses: readonly Wallet[];
}

/** What was recorded of each address: base units that arrived, and those that were collected by block. */
const RECORDED = query(
  'payments-recorded-coins',
  (db, $: Recorded) =>
    db
      .selectFrom('ReceiptAddress as a')
      .innerJoin('Transfer as t', (join) =>
        join.onRef('t.merchant', '=', 'a.merchant').onRef('t.addressOf', '=', 'a.receiptId'),
      )
      .select((eb) => [
        'a.address',
        eb('t.split', 'is', null).$castTo<boolean>().as('isCollection'),
        't.blockNumber',
        't.amount',
      ])
      .where('a.address', '=', sql<Wallet>`any(${$.addresses}::text[])`)
      .where('t.chainId', '=', $.chainId)
      .where('t.token', '=', $.token)
      .where('t.canonical', '=', true)
      .where(
        (eb) => sql<boolean>`a.address = case when ${eb.ref('t.split')} is null
        then ${eb.ref('t.sender')} else ${eb.ref('t.payTo')} end`,
      ),
  { computed: { isCollection: 'bool' } },
);

/** What is known of the coins of one address. */
class Account {
  arrived = 0n;
  readonly collections: { readonly block: number; readonly amount: bigint }[] = [];

  collectedUpTo(block: number): bigint {
    return this.collections.reduce((sum, one) => (one.block <= block ? sum + one.amount : sum), 0n);
  }
}

function accountsOf(rows: readonly RowOf<typeof RECORDED>[]): ReadonlyMap<Wallet, Account> {
  const accounts = new Map<Wallet, Account>();
  for (const { address, isCollection, blockNumber, amount } of rows) {
    const account = accounts.get(address) ?? new Account();
    accounts.set(address, account);
    if (isCollection) account.collections.push({ block: blockNumber, amount: BigInt(amount) });
    else account.arrived += BigInt(amount);
  }
  return accounts;
}

/**
 * Records the coins that have arrived at the addresses up to a block, which every collection was recorded up to. It can
 * be repeated. Returns the number of new arrivals; `'moved'`, and records nothing more, if the block is not on the
 * chain any more. Throws `chain_unavailable`.
 */
export async function readCoins(
  deps: MatchDeps,
  addresses: readonly Wallet[],
  head: BlockMark,
): Promise<number | 'moved'> {
  const coin = deps.chain.tokens.find(({ address }) => address === null);
  if (!coin || addresses.length === 0) return 0;
  const { chain } = deps;
  const balances = await readCoinBalances(chain, addresses, head.number);
  const recorded = { chainId: chain.chainId, token: coin.symbol, addresses };
  const accounts = accountsOf(await deps.db.run(RECORDED, recorded));
  const high = Number(head.number);
  let added = 0;
  for (const address of new Set([...balances.keys(), ...accounts.keys()])) {
    const account = accounts.get(address) ?? new Account();
    const sum = (balances.get(address) ?? 0n) + account.collectedUpTo(high);
    if (sum <= account.arrived) continue;
    const readAt = async (block: number) => {
      const held = await heldAt(chain, address, BigInt(block), head);
      return held === null ? account.arrived : held + account.collectedUpTo(block);
    };
    const low = Math.max(0, high - STATES + 1);
    const rises = await findRises(readAt, { low, high, counted: account.arrived, sum });
    const arrivals = [];
    for (const { block, amount } of rises) {
      const left = block === high ? balances.get(address) : await readBalance(chain, address, null, BigInt(block));
      arrivals.push(await arrivalsIn(chain, coin, { address, block, amount, left: left ?? 0n }));
    }
    if ((await readBlock(chain, head.number))?.hash !== head.hash || arrivals.includes(null)) return 'moved';
    for (const arrival of arrivals.flatMap((some) => some ?? [])) if (await recordTransfer(deps, arrival)) added += 1;
  }
  return added;
}

/**
 * The coins of an address at a block; null if the node does not keep its state: it was started from a later one. Nodes
 * have many words for that, so that one which still shows the head is believed.
 */
async function heldAt(chain: Chain, address: Wallet, block: bigint, head: BlockMark): Promise<bigint | null> {
  try {
    return await readBalance(chain, address, null, block);
  } catch {
    await readBalance(chain, address, null, head.number);
    return null;
  }
}

/** Coins that reached an address in one block. */
interface Risen {
  readonly address: Wallet;
  readonly block: number;
  readonly amount: bigint;
  /** What the address holds at the end of the block. */
  readonly left: bigint;
}

/**
 * The arrivals that make up a rise: the plain transfers of the block, with hash and sender, and the rest, which came
 * from within transactions. Null if there is no such block.
 */
async function arrivalsIn(
  chain: Chain,
  coin: Token,
  { address, block: number, amount, left }: Risen,
): Promise<Transfer[] | null> {
  const block = await readBlock(chain, BigInt(number));
  if (!block) return null;
  const plain = await plainTransfers(chain, block, address);
  const sent = plain.reduce((sum, { value }) => sum + value, 0n);
  const isComplete = sent <= amount;
  const rest = isComplete ? amount - sent : amount;
  const parts = [
    ...(rest > 0n ? [{ transactionHash: coinPlace(number, address), from: ZERO_WALLET, value: rest }] : []),
    ...(isComplete ? plain : []),
  ];
  // What a collection has not taken arrived last.
  let after = 0n;
  const places = parts
    .toReversed()
    .map((part) => {
      const isLeft = after < left;
      after += part.value;
      return { ...part, logIndex: isLeft ? AFTER : BEFORE };
    })
    .toReversed();
  return places.map((part) => ({
    ...{ blockNumber: block.number, blockHash: block.hash, blockTimeMs: block.timeMs },
    ...{ tokenAddress: null, symbol: coin.symbol, to: address },
    ...part,
  }));
}

type PlainTransfer = Pick<Transfer, 'transactionHash' | 'from' | 'value'>;

/** The successful transactions of a block that send coins to an address without more. */
async function plainTransfers({ client }: Chain, { hash }: BlockMark, address: Wallet): Promise<PlainTransfer[]> {
  const { transactions } = await reach(client.getBlock({ blockHash: hash, includeTransactions: true }));
  const to = transactions.filter((one) => one.to !== null && toWallet(one.to) === address && one.value > 0n);
  const checked = await Promise.all(
    to.map(async ({ hash: transactionHash, from, value }): Promise<PlainTransfer[]> => {
      const { status } = await reach(client.getTransactionReceipt({ hash: transactionHash as Hash }));
      return status === 'success' ? [{ transactionHash, from: toWallet(from), value }] : [];
    }),
  );
  return checked.flat();
}

type CoinRow = Pick<TransferRow, 'payTo' | 'token' | 'blockNumber' | 'blockHash'>;

/** Whether a transfer was found by the balance of its address: it has no log. */
export const isCoinArrival = ({ logIndex }: Pick<TransferRow, 'logIndex'>): boolean =>
  logIndex === BEFORE || logIndex === AFTER;

/**
 * Looks up recorded coins again: their block must be on the chain, and the address must still have received as much.
 * `unclear`: the node does not show what it has shown before.
 */
export async function lookUpCoins(
  { chain, db }: Pick<MatchDeps, 'db' | 'chain'>,
  { payTo: address, token, blockNumber, blockHash }: CoinRow,
): Promise<'there' | 'gone' | 'unclear'> {
  const block = await readBlock(chain, BigInt(blockNumber));
  if (block === null) return 'unclear';
  if (block.hash !== blockHash) {
    // A node of another chain has other blocks.
    await assertChainId(chain);
    return 'gone';
  }
  const number = await reach(chain.client.getBlockNumber());
  const rows = await db.run(RECORDED, { chainId: chain.chainId, token, addresses: [address] });
  const account = accountsOf(rows).get(address) ?? new Account();
  const held = await reach(chain.client.getBalance({ address: toAddress(address), blockNumber: number }));
  return held + account.collectedUpTo(Number(number)) >= account.arrived ? 'there' : 'unclear';
}
