import { formatUnits } from 'viem';
import { z } from 'zod';
import { LOCAL_CHAIN_ID, SLOW_CHAIN_ID } from '../core/local-chains.ts';
import { parseWallet } from '../core/wallet.ts';
import { ETHER, KNOWN_TOKENS } from './known-tokens.ts';
import { slowChainTokens, type TestToken, testTokens } from './test-token.ts';
import type { Token } from './token.ts';

/** The tokens of a known chain, the default one first; empty for any other chain. */
export function defaultTokens(chainId: number): readonly Token[] {
  return tokensByChain.get(chainId) ?? [];
}

const tokensByChain: ReadonlyMap<number, readonly Token[]> = new Map([
  ...[...KNOWN_TOKENS].map(
    ([chainId, tokens]) => [chainId, tokens.map(({ source, ...token }): Token => token)] as const,
  ),
  [LOCAL_CHAIN_ID, [...testTokens.map(ofTest), ETHER]],
  [SLOW_CHAIN_ID, [...slowChainTokens.map(ofTest), ETHER]],
]);

function ofTest({ symbol, address, decimals }: TestToken): Token {
  return { symbol, address, decimals };
}

/** Tokens that count as US dollars 1:1. */
const AT_PAR: ReadonlySet<string> = new Set(['USDC', 'USDT', 'DAI']);

/** Whether the token counts as US dollars, so that an amount in it needs no exchange rate. */
export const isAtPar = ({ symbol, address }: Pick<Token, 'symbol' | 'address'>): boolean =>
  address === null ? symbol === 'XDAI' : AT_PAR.has(symbol);

/** The currency whose rate values the token: EURC counts as euros. */
export const currencyOf = ({ symbol, address }: Pick<Token, 'symbol' | 'address'>): string =>
  symbol === 'EURC' && address !== null ? 'EUR' : symbol;

/** The coin that a chain takes as gas: ether on a chain that is not known. */
export const nativeCoin = ({
  chainId,
  tokens,
}: {
  readonly chainId: number;
  readonly tokens: readonly Token[];
}): Token => [...tokens, ...defaultTokens(chainId)].find(({ address }) => address === null) ?? ETHER;

/** The default token: USDC, else USDT, else the first; null if there is none. */
export function defaultToken(tokens: readonly Token[]): Token | null {
  const bySymbol = (symbol: string) => tokens.find((token) => token.symbol === symbol);
  return bySymbol('USDC') ?? bySymbol('USDT') ?? tokens[0] ?? null;
}

const tokenMap = z.record(
  z.string().regex(/^[A-Za-z0-9.]{1,16}$/, 'a symbol is 1 to 16 letters, digits or dots'),
  z.object({
    address: z
      .unknown()
      .transform((value) => (value === null ? null : (parseWallet(value) ?? undefined)))
      .refine((address) => address !== undefined, 'must be null or 0x followed by 40 hex digits'),
    decimals: z.int().min(0).max(36),
    onChainSymbol: z.string().max(64).optional(),
  }),
);

/**
 * Parses the `TOKENS` variable and keeps its order: `{"USDC": {"address": "0x…", "decimals": 6}, "ETH": {"address":
 * null, "decimals": 18}}`. Throws an `Error` with a message of one line.
 */
export function parseTokens(json: string): readonly Token[] {
  const { success, data, error } = tokenMap.safeParse(parseJson(json));
  if (!success) {
    const [issue] = error.issues;
    throw new Error(`${issue?.path.join('.') || 'the value'}: ${issue?.message}`);
  }
  const tokens = Object.entries(data).map(
    ([symbol, token]): Token => ({ symbol, ...token, address: token.address ?? null }),
  );
  if (tokens.length === 0) throw new Error('at least one token is needed');
  if (new Set(tokens.map(({ address }) => address)).size < tokens.length) {
    throw new Error('two tokens have the same address');
  }
  return tokens;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('the value is not JSON');
  }
}

/** Base units as an exact decimal string: `toDecimal(1_500_000n, 6)` is `'1.5'`. */
export function toDecimal(baseUnits: bigint, decimals: number): string {
  return formatUnits(baseUnits, decimals);
}
