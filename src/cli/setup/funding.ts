import { createChain, reach } from '../../chain/client.ts';
import { toDecimal } from '../../chain/tokens.ts';
import { type GasWallet, readGasWallets } from '../../operators/progress.ts';
import type { Config } from '../../platform/config/config.ts';

/** What a wallet needs before the first payment. */
export interface Funding extends GasWallet {
  /** The native coins to send, as decimal text; null if the endpoint does not name a price of gas. */
  readonly send: string | null;
  readonly why: string;
}

/** The gas that a wallet may need at first: a deployment, then 100 payments of two recipients (docs/run/wallets.md). */
const NEEDS = {
  settlement: {
    gas: 875_000n + 100n * 2n * 110_000n,
    why: "it deploys the shop's split once, and releases the shares of about 100 payments",
  },
  spender: {
    gas: 1_500_000n + 100n * 250_000n,
    why: 'it deploys the charging contract once, and charges about 100 subscriptions',
  },
} as const;

const COIN_DECIMALS = 18;

/** How many coins to send to which wallet of the installation, at the present price of gas. */
export async function readFunding(config: Config): Promise<Funding[]> {
  if (config.rpcUrl === null) return [];
  const chain = createChain({ ...config, rpcUrl: config.rpcUrl });
  const [wallets, price] = await Promise.all([
    readGasWallets({ chains: [chain], settings: config }),
    reach(chain.client.getGasPrice()).catch(() => null),
  ]);
  return wallets.map((wallet) => {
    const { gas, why } = NEEDS[wallet.role];
    return { ...wallet, why, send: price === null ? null : toDecimal(twoDigits(gas * price), COIN_DECIMALS) };
  });
}

/** Rounded up to its two leading digits. */
export function twoDigits(value: bigint): bigint {
  const unit = 10n ** BigInt(Math.max(0, String(value).length - 2));
  return ((value + unit - 1n) / unit) * unit;
}
