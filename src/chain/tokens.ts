import { formatUnits, isAddress } from 'viem';
import { z } from 'zod';
import { parseWallet, type Wallet } from '../core/wallet.ts';
import { testTokens } from './test-token.ts';

/** A token that is accepted on a chain. */
export interface Token {
  readonly symbol: string;
  /** The ERC-20 contract; null is the chain's native coin. */
  readonly address: Wallet | null;
  readonly decimals: number;
  /** The contract's own symbol, if it differs from `symbol`. */
  readonly onChainSymbol?: string;
}

const ether: Token = { symbol: 'ETH', address: null, decimals: 18 };

/** A stablecoin with 6 decimals. The address has an EIP-55 checksum, so that a typo fails at startup. */
function stablecoin(symbol: string, checksummed: string): Token {
  const address = isAddress(checksummed) ? parseWallet(checksummed) : null;
  if (!address) throw new Error(`${symbol}: ${checksummed} is not an address with a valid checksum`);
  return { symbol, address, decimals: 6 };
}

/**
 * Per chain: Circle's native USDC (https://developers.circle.com/stablecoins/usdc-contract-addresses), Tether's USDT if
 * it is deployed, and ether if it is the native coin. Polygon's native coin is POL, which has no price here.
 */
const tokensByChain: Readonly<Record<number, readonly Token[]>> = {
  // Ethereum
  1: [
    stablecoin('USDC', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'),
    stablecoin('USDT', '0xdAC17F958D2ee523a2206206994597C13D831ec7'),
    ether,
  ],
  // OP Mainnet
  10: [
    stablecoin('USDC', '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85'),
    stablecoin('USDT', '0x94b008aA00579c1307B0EF2c499aD98a8ce58e58'),
    ether,
  ],
  // Polygon
  137: [
    stablecoin('USDC', '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'),
    stablecoin('USDT', '0xc2132D05D31c914a87C6611C10748AEb04B58e8F'),
  ],
  // Base
  8453: [stablecoin('USDC', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'), ether],
  // The local chain
  31337: [...testTokens.map(({ symbol, address, decimals }): Token => ({ symbol, address, decimals })), ether],
  // Arbitrum One
  42161: [
    stablecoin('USDC', '0xaf88d065e77c8cC2239327C5EDb3A432268e5831'),
    stablecoin('USDT', '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9'),
    ether,
  ],
  // Base Sepolia
  84532: [stablecoin('USDC', '0x036CbD53842c5426634e7929541eC2318f3dCF7e'), ether],
  // Sepolia
  11155111: [stablecoin('USDC', '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238'), ether],
};

/** The tokens of a known chain, the default one first; empty for any other chain. */
export function defaultTokens(chainId: number): readonly Token[] {
  return tokensByChain[chainId] ?? [];
}

/** Tokens that count as US dollars 1:1. */
const AT_PAR: ReadonlySet<string> = new Set(['USDC', 'USDT']);

/** Whether the token counts as US dollars, so that an amount in it needs no exchange rate. */
export const isAtPar = (token: Pick<Token, 'symbol' | 'address'>): boolean =>
  token.address !== null && AT_PAR.has(token.symbol);

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
