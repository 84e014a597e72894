import { keptBy } from '../core/kept.ts';
import { type Chain, reach } from './client.ts';
import { readDataFee } from './data-fee.ts';
import { inTime } from './in-time.ts';

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
