import { readCursor } from '../blocks/cursor.ts';
import { readBalance } from '../chain/balances.ts';
import { readHead } from '../chain/blocks.ts';
import { reach } from '../chain/client.ts';
import { toDecimal } from '../chain/tokens.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { openWallet, type SigningWallet } from '../spender/wallet.ts';

type ChainDeps = Pick<Deps, 'sql' | 'chain' | 'settings'>;

/** How far the watcher has read the chain. */
export interface WatcherProgress {
  /** The newest block; null if the endpoint does not answer. */
  readonly head: number | null;
  /** The last block that was read; null before the first. */
  readonly scanned: number | null;
  /** The last block whose payments are confirmed; null before the first. */
  readonly confirmed: number | null;
  /** The number of unread blocks; null if it is not known. */
  readonly behindBlocks: number | null;
}

/** How far the watcher has read, according to the database. */
export async function readWatcherProgress(deps: ChainDeps): Promise<WatcherProgress> {
  const [head, cursor] = await Promise.all([
    readHead(deps.chain).then(
      ({ number }) => Number(number),
      () => null,
    ),
    readCursor(deps),
  ]);
  const [scanned, confirmed] = [cursor?.scanned ?? null, cursor?.confirmed ?? null];
  const behindBlocks = head === null || scanned === null ? null : Math.max(0, head - scanned);
  return { head, scanned, confirmed, behindBlocks };
}

/** Gas of about ten transactions. A wallet that cannot pay for them is low. */
const LOW_GAS = 2_000_000n;
const COIN_DECIMALS = 18;

/** A wallet that pays for the transactions of the server. */
export interface GasWallet {
  readonly role: SigningWallet['role'];
  readonly address: Wallet;
  /** Its native coins, as decimal text; null if the endpoint does not answer. */
  readonly balance: string | null;
  /** Whether it cannot pay for ten more transactions at the current price. */
  readonly low: boolean;
}

/** The wallets that are configured, with their balances. */
export function readGasWallets({
  chain,
  settings,
}: {
  readonly chain: Deps['chain'];
  readonly settings: Pick<Deps['settings'], 'spenderPrivateKey' | 'settlementPrivateKey'>;
}): Promise<GasWallet[]> {
  const { spenderPrivateKey, settlementPrivateKey } = settings;
  const wallets = [
    ...(settlementPrivateKey === null ? [] : [openWallet('settlement', settlementPrivateKey)]),
    ...(spenderPrivateKey === null ? [] : [openWallet('spender', spenderPrivateKey)]),
  ];
  return Promise.all(
    wallets.map(async ({ role, sender: address }) => {
      try {
        const { number } = await readHead(chain);
        const [balance, price] = await Promise.all([
          readBalance(chain, address, null, number),
          reach(chain.client.getGasPrice()),
        ]);
        return { role, address, balance: toDecimal(balance, COIN_DECIMALS), low: balance < LOW_GAS * price };
      } catch {
        return { role, address, balance: null, low: false };
      }
    }),
  );
}
