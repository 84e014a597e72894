import { parseAbi } from 'viem';
import { keptBy } from '../core/kept.ts';
import { type Chain, reach } from './client.ts';
import { inTime } from './in-time.ts';

/**
 * The contract that rollups of the OP Stack have at this address, and other chains have not. It computes what a
 * transaction pays for its data on Ethereum, in addition to its gas
 * (https://docs.optimism.io/op-stack/transactions/fees). Arbitrum counts its data as gas.
 */
const GAS_PRICE_ORACLE = '0x420000000000000000000000000000000000000F';
const ABI = parseAbi(['function getL1FeeUpperBound(uint256 unsignedTxSize) view returns (uint256)']);

const hasOracle = keptBy('fee oracle', (chain: Chain) => {
  let known: boolean | null = null;
  return async (): Promise<boolean> => {
    known ??= (await reach(chain.client.getCode({ address: GAS_PRICE_ORACLE }))) !== undefined;
    return known;
  };
});

/**
 * The upper bound of the fee for the data of a transaction of `bytes` bytes, in base units of the chain's coin, in
 * addition to its gas; 0 on a chain without such a fee. Throws `chain_unavailable`.
 */
export async function readDataFee(chain: Chain, bytes: number): Promise<bigint> {
  if (!(await hasOracle(chain)())) return 0n;
  return reach(
    chain.client.readContract({
      address: GAS_PRICE_ORACLE,
      abi: ABI,
      functionName: 'getL1FeeUpperBound',
      args: [BigInt(bytes)],
    }),
  );
}

/** What a transfer usually needs: of a token, and of the chain's coin to a splitter. */
const TRANSFER_GAS = { token: 65_000n, coin: 35_000n } as const;
/** The size of a signed transfer of a token. */
const TRANSFER_BYTES = 180;

/** A price of gas is reused for this time, and the wait for one is no longer than that. */
const FRESH_MS = 60_000;
const WAIT_MS = 500;

interface Prices {
  readonly gasPrice: bigint;
  readonly dataFee: bigint;
}

const pricesOf = keptBy('gas prices', (_chain: Chain) => ({
  at: Number.NEGATIVE_INFINITY,
  last: null as Prices | null,
}));

async function readPrices(chain: Chain): Promise<Prices> {
  const [gasPrice, dataFee] = await Promise.all([
    reach(chain.client.getGasPrice()),
    readDataFee(chain, TRANSFER_BYTES),
  ]);
  return { gasPrice, dataFee };
}

/** The size of a transaction. */
interface TransactionSize {
  readonly gas: bigint;
  readonly bytes: number;
}

/**
 * What a transaction costs its sender now, about, in base units of the chain's coin; null while that is unknown. The
 * chain is asked at most once a minute, and a slow one delays the answer by half a second.
 */
export async function readTransactionCost(chain: Chain): Promise<((size: TransactionSize) => bigint) | null> {
  const prices = pricesOf(chain);
  if (performance.now() - prices.at >= FRESH_MS) {
    prices.at = performance.now();
    const reading = readPrices(chain).then((read) => {
      prices.last = read;
    });
    await inTime(reading, WAIT_MS).catch(() => {});
  }
  const { last } = prices;
  if (last === null) return null;
  return ({ gas, bytes }) => last.gasPrice * gas + (last.dataFee * BigInt(bytes)) / BigInt(TRANSFER_BYTES);
}

/** What the sender of a transfer pays to the chain now, about; see `readTransactionCost`. */
export async function readTransferFee(chain: Chain, kind: keyof typeof TRANSFER_GAS): Promise<bigint | null> {
  const costOf = await readTransactionCost(chain);
  return costOf?.({ gas: TRANSFER_GAS[kind], bytes: TRANSFER_BYTES }) ?? null;
}
