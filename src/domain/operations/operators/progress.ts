import { readBalance } from '../../../base/chain/balances.ts';
import { readHead } from '../../../base/chain/blocks.ts';
import { spenderWallet } from '../../../base/chain/charger.ts';
import { type Chain, reach } from '../../../base/chain/client.ts';
import { chainName } from '../../../base/chain/names.ts';
import { nativeCoin, toDecimal } from '../../../base/chain/tokens.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { readCursor } from '../../../base/onchain/blocks/cursor.ts';
import { findSpender, type SpendingSettings } from '../../../base/onchain/spender/spender.ts';
import { openWallet, type SigningWallet } from '../../../base/onchain/spender/spender-key.ts';
import type { Deps } from '../../../base/platform/deps.ts';

type ChainDeps = Pick<Deps, 'db' | 'chain' | 'settings'>;

/** How far the watcher has read the chain. */
export interface WatcherProgress {
  readonly chainId: number;
  /** The name of the chain for people. */
  readonly network: string;
  /** The newest block; null if the endpoint does not answer. */
  readonly head: number | null;
  /** The last block that was read; null before the first. */
  readonly scanned: number | null;
  /** The last block whose payments are confirmed; null before the first. */
  readonly confirmed: number | null;
  /** The number of unread blocks; null if it is not known. */
  readonly behindBlocks: number | null;
}

/** How far the watcher has read a chain, according to the database. */
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
  const { chainId } = deps.chain;
  return { chainId, network: chainName(chainId), head, scanned, confirmed, behindBlocks };
}

/** Gas of about ten transactions. A wallet that cannot pay for them is low. */
const LOW_GAS = 2_000_000n;
const COIN_DECIMALS = 18;

/** A wallet that pays for the transactions of the server, on one chain. */
export interface GasWallet {
  readonly chainId: number;
  readonly role: SigningWallet['role'];
  readonly address: Wallet;
  /** Its native coins, as decimal text; null if the endpoint does not answer. */
  readonly balance: string | null;
  /** The symbol of the chain's native coin, and the name of the chain for people. */
  readonly coin: string;
  readonly network: string;
  /** Whether it cannot pay for ten more transactions at the current price. */
  readonly low: boolean;
}

/** Only the settings that tell which wallets there are. */
interface WalletDeps {
  readonly chains: readonly Chain[];
  readonly settings: SpendingSettings & Pick<Deps['settings'], 'previousSpenderKeys' | 'settlementPrivateKey'>;
}

/** The configured wallets with their balances, on every chain, those of the first one first. */
export async function readGasWallets(deps: WalletDeps): Promise<GasWallet[]> {
  return (await Promise.all(deps.chains.map((chain) => readGasWalletsOn(deps, chain)))).flat();
}

/** The wallets that need coins on a chain: the spender only where a spend permission manager is known. */
export function readGasWalletsOn({ settings }: Pick<WalletDeps, 'settings'>, chain: Chain): Promise<GasWallet[]> {
  const { previousSpenderKeys, settlementPrivateKey } = settings;
  const spender = spenderWallet(settings);
  const wallets = [
    ...(settlementPrivateKey === null ? [] : [openWallet('settlement', settlementPrivateKey)]),
    ...(spender === null || findSpender({ settings, chain }) === null
      ? []
      : [
          { role: 'spender' as const, sender: spender },
          ...previousSpenderKeys.map((key) => openWallet('spender', key)),
        ]),
  ];
  return Promise.all(
    wallets.map(async ({ role, sender: address }) => {
      const { chainId } = chain;
      const wallet = { chainId, network: chainName(chainId), coin: nativeCoin(chain).symbol, role, address };
      try {
        const { number } = await readHead(chain);
        const [balance, price] = await Promise.all([
          readBalance(chain, address, null, number),
          reach(chain.client.getGasPrice()),
        ]);
        return { ...wallet, balance: toDecimal(balance, COIN_DECIMALS), low: balance < LOW_GAS * price };
      } catch {
        return { ...wallet, balance: null, low: false };
      }
    }),
  );
}
