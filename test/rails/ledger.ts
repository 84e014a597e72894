import { erc20Abi, parseAbiItem } from 'viem';
import { toAddress, toWallet } from '../../src/base/chain/address.ts';
import type { Chain } from '../../src/base/chain/client.ts';
import { readReceived, readReleased } from '../../src/base/chain/splitter.ts';
import { usdcOf } from '../../src/base/chain/test/authorize.ts';
import type { Wallet } from '../../src/base/core/wallet.ts';
import type { RailPayment } from './pay.ts';
import type { RailChain, RailWorld } from './world.ts';

/** A transfer of the merchant: an arrival at the address of a receipt, or what goes to the split. */
interface Stored {
  readonly chainId: string;
  readonly hash: string;
  readonly logIndex: number;
  readonly receiptId: string | null;
  readonly amount: string;
  readonly reason: string | null;
  readonly payTo: Wallet;
  /** The receipt of the address that received it, or has sent it. */
  readonly addressOf: string | null;
  readonly isArrival: boolean;
  readonly collected: boolean | null;
}

interface Share {
  readonly chainId: string;
  readonly payee: Wallet;
  readonly owed: string | null;
  readonly open: string;
}

const sum = (all: readonly { readonly amount: string | bigint }[]) =>
  all.reduce((total, { amount }) => total + BigInt(amount), 0n);

/** Compares what was paid with PostgreSQL and both chains, to the base unit. */
export async function railFaults(world: RailWorld, payments: readonly RailPayment[]): Promise<string[]> {
  const { merchant, setup } = world;
  const em = setup.deps.db.orm.em.fork();
  const ofMerchant = <Row extends object>(text: string) => em.execute<Row[]>(text, [merchant.wallet]);
  const transfers = await ofMerchant<Stored>(
    `select chain_id as "chainId", transaction_hash as hash, log_index as "logIndex", receipt_id as "receiptId", amount,
            unmatched_reason as reason, pay_to as "payTo", address_of as "addressOf", split is not null as "isArrival",
            collected
       from transfers where canonical and merchant = ?`,
  );
  const receipts = await ofMerchant<{ id: string; status: string }>(
    'select id, status from receipts where merchant = ?',
  );
  const shares = await ofMerchant<Share>(
    `select chain_id as "chainId", payee, sum(owed) as owed, count(*) filter (where settled_at is null) as open
       from settlement_shares where merchant = ? group by 1, 2`,
  );
  const perChain = await Promise.all(
    world.chains.map((chain) => {
      const here = <Row extends { readonly chainId: string | number }>(rows: readonly Row[]) =>
        rows.filter(({ chainId }) => Number(chainId) === chain.chainId);
      return chainFaults(chain, merchant.split, here(payments), here(transfers), here(shares));
    }),
  );
  return [...receiptFaults(payments, receipts, transfers), ...perChain.flat()].slice(0, 20);
}

/** Each receipt is paid and settled by what arrived at its own address, on its chain, and was collected once. */
function receiptFaults(
  payments: readonly RailPayment[],
  receipts: readonly { id: string; status: string }[],
  transfers: readonly Stored[],
): string[] {
  const statuses = new Map(receipts.map(({ id, status }) => [id, status]));
  const [arrived, collected] = [true, false].map((isArrival) =>
    Map.groupBy(
      transfers.filter((one) => one.isArrival === isArrival),
      ({ addressOf }) => addressOf,
    ),
  ) as [Map<string | null, Stored[]>, Map<string | null, Stored[]>];
  const strays = transfers.filter(({ addressOf, isArrival, receiptId }) =>
    isArrival ? receiptId !== addressOf : addressOf === null || receiptId !== null,
  );
  const addresses = new Set(payments.map(({ payTo }) => payTo));
  return [
    ...(receipts.length === payments.length
      ? []
      : [`${payments.length} receipts were made, ${receipts.length} stored`]),
    ...(addresses.size === payments.length ? [] : [`${payments.length} receipts have ${addresses.size} addresses`]),
    ...strays.map((one) => `a transfer belongs to no receipt: ${JSON.stringify(one)}`),
    ...payments.flatMap(({ receiptId, rail, chainId, payTo, amount }) => {
      const status = statuses.get(receiptId);
      const own = arrived.get(receiptId) ?? [];
      const isRight =
        own.length === 1 &&
        BigInt(own[0]!.amount) === amount &&
        own[0]!.payTo === payTo &&
        Number(own[0]!.chainId) === chainId;
      const brought = sum(collected.get(receiptId) ?? []);
      return [
        ...(status === 'completed' ? [] : [`${receiptId} (${rail}) was paid and is ${status}`]),
        ...(isRight ? [] : [`${receiptId} (${rail}) was paid ${amount} and has ${JSON.stringify(own)}`]),
        ...(brought === amount && own.every((one) => one.collected)
          ? []
          : [`${receiptId} (${rail}) was paid ${amount}, and ${brought} was collected`]),
      ];
    }),
  ];
}

/** All transfers of USDC: the chain is the test's own. */
const readTransfers = async (chain: Chain, toBlock?: bigint) => {
  const logs = await chain.client.getLogs({
    event: parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)'),
    ...{ address: toAddress(usdcOf(chain)), strict: true, fromBlock: 0n, toBlock: toBlock ?? 'latest' },
  });
  return logs.map(({ transactionHash, logIndex, args }) => ({
    place: `${transactionHash} ${logIndex}`,
    ...{ from: toWallet(args.from), to: toWallet(args.to), amount: args.value },
  }));
};

/**
 * Compares the split's balance with the logs of its transfers. On a chain that loses states no payment can be judged.
 */
export async function chainContradictions({ merchant: { split }, chains }: RailWorld): Promise<string[]> {
  const lookAt = async ({ local: { chain }, chainId }: RailChain) => {
    const blockNumber = await chain.client.getBlockNumber({ cacheTime: 0 });
    const [logs, balance] = await Promise.all([
      readTransfers(chain, blockNumber),
      chain.client.readContract({
        abi: erc20Abi,
        address: toAddress(usdcOf(chain)),
        functionName: 'balanceOf',
        args: [toAddress(split)],
        blockNumber,
      }),
    ]);
    const logged = sum(logs.filter(({ to }) => to === split)) - sum(logs.filter(({ from }) => from === split));
    return balance === logged
      ? []
      : [
          `chain ${chainId} contradicts itself at block ${blockNumber}: the split has ${balance}, by its logs ${logged}`,
        ];
  };
  return (await Promise.all(chains.map(lookAt))).flat();
}

/** The chain has the transfers that are stored, and has collected and released what is owed. */
async function chainFaults(
  { local: { chain }, chainId }: RailChain,
  split: Wallet,
  payments: readonly RailPayment[],
  transfers: readonly Stored[],
  shares: readonly Share[],
): Promise<string[]> {
  const usdc = usdcOf(chain);
  const watched = new Set<string>([split, ...payments.map(({ payTo }) => payTo)]);
  const seen = new Set((await readTransfers(chain)).filter(({ to }) => watched.has(to)).map(({ place }) => place));
  const stored = new Set(transfers.map(({ hash, logIndex }) => `${hash} ${logIndex}`));
  const collected = sum(transfers.filter(({ isArrival }) => !isArrival));
  const received = await readReceived(chain, split, usdc);
  const payees = shares.map(({ payee }) => toWallet(toAddress(payee)));
  const released = await readReleased(chain, split, usdc, payees);
  return [
    ...[...seen].filter((one) => !stored.has(one)).map((one) => `${one} on chain ${chainId} is not stored`),
    ...[...stored].filter((one) => !seen.has(one)).map((one) => `${one} is stored and not on chain ${chainId}`),
    ...(collected === received
      ? []
      : [`the split received ${received} on chain ${chainId}, and ${collected} is stored as collected`]),
    ...shares.flatMap(({ payee, owed, open }) => {
      const has = released.get(payee);
      const isRight = Number(open) === 0 && BigInt(owed ?? 0) === has;
      return isRight
        ? []
        : [`${payee} is owed ${owed} on chain ${chainId}, ${open} shares are open, ${has} is released`];
    }),
  ];
}
