import { type Address, erc20Abi } from 'viem';
import { toAddress, toWallet } from '../../src/chain/address.ts';
import type { Chain } from '../../src/chain/client.ts';
import { readReceived, readReleased } from '../../src/chain/splitter.ts';
import { usdcOf } from '../../src/chain/test/authorize.ts';
import type { Wallet } from '../../src/core/wallet.ts';
import type { RailPayment } from './pay.ts';
import type { RailChain, RailWorld } from './world.ts';

interface Stored {
  readonly chainId: string;
  readonly hash: string;
  readonly logIndex: number;
  readonly receiptId: string | null;
  readonly amount: string;
  readonly reason: string | null;
}

interface Share {
  readonly chainId: string;
  readonly payee: Wallet;
  readonly owed: string | null;
  readonly open: string;
}

/** Compares what was paid with PostgreSQL and both chains, to the base unit. */
export async function railFaults(world: RailWorld, payments: readonly RailPayment[]): Promise<string[]> {
  const { merchant, setup } = world;
  const em = setup.deps.orm.em.fork();
  const ofMerchant = <Row extends object>(text: string) => em.execute<Row[]>(text, [merchant.wallet]);
  const transfers = await ofMerchant<Stored>(
    `select chain_id as "chainId", transaction_hash as hash, log_index as "logIndex", receipt_id as "receiptId", amount, unmatched_reason as reason
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
      const here = <Row extends { readonly chainId: string }>(rows: readonly Row[]) =>
        rows.filter(({ chainId }) => Number(chainId) === chain.chainId);
      return chainFaults(chain, merchant.split, here(transfers), here(shares));
    }),
  );
  return [...receiptFaults(payments, receipts, transfers), ...perChain.flat()].slice(0, 20);
}

/** Each receipt is paid and settled, by one transfer of its own amount on its chain. */
function receiptFaults(
  payments: readonly RailPayment[],
  receipts: readonly { id: string; status: string }[],
  transfers: readonly Stored[],
): string[] {
  const statuses = new Map(receipts.map(({ id, status }) => [id, status]));
  const credited = Map.groupBy(transfers, ({ receiptId }) => receiptId);
  const strays = (credited.get(null) ?? []).map(({ hash, reason }) => `${hash} belongs to no receipt: ${reason}`);
  return [
    ...(receipts.length === payments.length
      ? []
      : [`${payments.length} receipts were made, ${receipts.length} stored`]),
    ...strays,
    ...payments.flatMap(({ receiptId, rail, chainId, amount }) => {
      const status = statuses.get(receiptId);
      const own = credited.get(receiptId) ?? [];
      const isRight = own.length === 1 && BigInt(own[0]!.amount) === amount && Number(own[0]!.chainId) === chainId;
      return [
        ...(status === 'completed' ? [] : [`${receiptId} (${rail}) was paid and is ${status}`]),
        ...(isRight ? [] : [`${receiptId} (${rail}) was paid ${amount} and has ${JSON.stringify(own)}`]),
      ];
    }),
  ];
}

const readTransfers = (chain: Chain, args: { to: Address } | { from: Address }, toBlock?: bigint) =>
  chain.client.getContractEvents({
    ...{ abi: erc20Abi, address: toAddress(usdcOf(chain)), eventName: 'Transfer', args, strict: true },
    ...{ fromBlock: 0n, toBlock: toBlock ?? 'latest' },
  });

/**
 * Compares the split's balance with the logs of its transfers. On a chain that loses states no payment can be judged.
 */
export async function chainContradictions({ merchant: { split }, chains }: RailWorld): Promise<string[]> {
  const lookAt = async ({ local: { chain }, chainId }: RailChain) => {
    const address = toAddress(split);
    const blockNumber = await chain.client.getBlockNumber({ cacheTime: 0 });
    const [arrived, left, balance] = await Promise.all([
      readTransfers(chain, { to: address }, blockNumber),
      readTransfers(chain, { from: address }, blockNumber),
      chain.client.readContract({
        abi: erc20Abi,
        address: toAddress(usdcOf(chain)),
        functionName: 'balanceOf',
        args: [address],
        blockNumber,
      }),
    ]);
    const sum = (logs: typeof arrived) => logs.reduce((all, { args }) => all + args.value, 0n);
    const logged = sum(arrived) - sum(left);
    return balance === logged
      ? []
      : [
          `chain ${chainId} contradicts itself at block ${blockNumber}: the split has ${balance}, by its logs ${logged}`,
        ];
  };
  return (await Promise.all(chains.map(lookAt))).flat();
}

/** The chain has the transfers that are stored, and has released what is owed. */
async function chainFaults(
  { local: { chain }, chainId }: RailChain,
  split: Wallet,
  transfers: readonly Stored[],
  shares: readonly Share[],
): Promise<string[]> {
  const usdc = usdcOf(chain);
  const logs = await readTransfers(chain, { to: toAddress(split) });
  const seen = new Set(logs.map(({ transactionHash, logIndex }) => `${transactionHash} ${logIndex}`));
  const stored = new Set(transfers.map(({ hash, logIndex }) => `${hash} ${logIndex}`));
  const sum = transfers.reduce((all, { amount }) => all + BigInt(amount), 0n);
  const received = await readReceived(chain, split, usdc);
  const payees = shares.map(({ payee }) => toWallet(toAddress(payee)));
  const released = await readReleased(chain, split, usdc, payees);
  return [
    ...[...seen].filter((one) => !stored.has(one)).map((one) => `${one} on chain ${chainId} is not stored`),
    ...[...stored].filter((one) => !seen.has(one)).map((one) => `${one} is stored and not on chain ${chainId}`),
    ...(sum === received ? [] : [`${received} arrived on chain ${chainId}, and ${sum} is stored`]),
    ...shares.flatMap(({ payee, owed, open }) => {
      const has = released.get(payee);
      const isRight = Number(open) === 0 && BigInt(owed ?? 0) === has;
      return isRight
        ? []
        : [`${payee} is owed ${owed} on chain ${chainId}, ${open} shares are open, ${has} is released`];
    }),
  ];
}
