import { type Source, sources } from './sources.ts';

/** What a page may ask a wallet for in one place only, which checks and names the chain. */
const ASKS = [
  { method: 'eth_sendTransaction', place: 'src/doors/pages/client/wallet.ts', params: /\bchainId: hex\(chainId\)/ },
  { method: 'wallet_sendCalls', place: 'src/doors/pages/client/calls.ts', params: /\bchainId: hex\(chainId\)/ },
] as const;

/** Requests of pages to send a transaction that go around the check of the wallet's chain, or do not name the chain. */
export function walletRequestFaults(files: readonly Source[] = sources()): string[] {
  const pages = files.filter(({ path }) => path.startsWith('src/doors/pages/') && !/\.test\.|\/test\//.test(path));
  return pages.flatMap(({ path, text }) =>
    ASKS.flatMap(({ method, place, params }) => {
      const asks = text.split(`'${method}'`).slice(0, -1);
      if (asks.length === 0) return [];
      if (path !== place) return [`${path}: ask a wallet for ${method} with the function of ${place}`];
      return asks.flatMap((before) => {
        const body = before.slice(before.lastIndexOf('export async function'));
        return params.test(body) && /await requireChain\(provider, chainId\)/.test(body)
          ? []
          : [`${path}: ${method} needs requireChain before it, and the chain in its parameters`];
      });
    }),
  );
}
