import { getAddress } from 'viem';
import { toAddress } from '../../../src/base/chain/address.ts';
import { explorerUrl } from '../../../src/base/chain/explorers.ts';
import { baseBlocks, blocksOf, type ChainPace, knownPaces } from '../../../src/base/chain/finality.ts';
import { KNOWN_TOKENS } from '../../../src/base/chain/known-tokens.ts';
import { defaultPriceFeeds } from '../../../src/base/chain/price-feeds.ts';
import { defaultSpendPermissionManager } from '../../../src/base/chain/spend-permissions.ts';
import { code, table } from './markdown.ts';

/** The default confirmations of each chain, with their expected times. */
function confirmationsTable(): string {
  const tier = ({ finality, tagBlocks, blockMs }: ChainPace, { fromCents, depth }: ChainPace['finality'][number]) => {
    const blocks = Math.max(baseBlocks(finality, 0), blocksOf(depth, { tagBlocks }));
    const seconds = Math.round((blocks * blockMs) / 1000);
    const time = seconds < 100 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
    const needed = typeof depth === 'number' ? `${depth} blocks` : code(depth);
    return `${fromCents === 0 ? '' : `from $${fromCents / 100}: `}${needed} (${time})`;
  };
  return table(
    ['Chain', 'Default (expected time)', 'Blocks of `safe`, `finalized`'],
    knownPaces().map(([id, pace]) => [
      id === null ? pace.name : `${pace.name} (${id})`,
      pace.finality.map((one) => tier(pace, one)).join('; '),
      `${pace.tagBlocks.safe}, ${pace.tagBlocks.finalized}`,
    ]),
  );
}

/** The known public chains with what is known of each. */
function networksTable(): string {
  const nameOf = new Map(knownPaces());
  return table(
    ['Chain', 'Block time', 'Block explorer', 'Price feeds', 'Plans'],
    [...KNOWN_TOKENS.keys()].map((chainId) => {
      const { name, blockMs } = nameOf.get(chainId)!;
      const explorer = explorerUrl(chainId);
      const feeds = [...defaultPriceFeeds(chainId)].map(
        ([currency, address]) => `${currency} ${code(getAddress(toAddress(address)))}`,
      );
      return [
        `${name} (${chainId})`,
        `${blockMs / 1000} s`,
        explorer === null ? 'none' : `<${explorer}>`,
        feeds.join(', ') || 'none',
        defaultSpendPermissionManager(chainId) === null ? '' : '✓',
      ];
    }),
  );
}

/** The known public chains with their tokens, and where each address comes from. */
function chainsTable(): string {
  const nameOf = new Map(knownPaces());
  return table(
    ['Chain', 'Token', 'Decimals', 'Address', 'Source'],
    [...KNOWN_TOKENS].flatMap(([chainId, tokens]) =>
      tokens.map(({ symbol, decimals, address, onChainSymbol, source }) => [
        `${nameOf.get(chainId)?.name ?? 'chain'} (${chainId})`,
        onChainSymbol === undefined ? symbol : `${symbol} (${code(onChainSymbol)})`,
        String(decimals),
        address === null ? 'the native coin' : code(getAddress(address)),
        address === null ? '' : `<${source}>`,
      ]),
    ),
  );
}

/** The tables of chains and tokens, by the name of their marker. */
export const chainTables: Readonly<Record<string, () => string>> = {
  confirmations: confirmationsTable,
  'known-networks': networksTable,
  'known-chains': chainsTable,
};
