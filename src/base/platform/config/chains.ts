import { z } from 'zod';
import { baseBlocks, paceOf } from '../../chain/finality.ts';
import type { Token } from '../../chain/token.ts';
import { defaultTokens, parseTokens } from '../../chain/tokens.ts';
import { type Finality, parseFinality } from '../../core/finality.ts';
import { parseJson } from '../../core/json.ts';
import { isLocalChain, SLOW_CHAIN_ID } from '../../core/local-chains.ts';
import { wallet } from '../../core/text.ts';
import type { Wallet } from '../../core/wallet.ts';

/** A chain on which payments are made. */
export interface ChainConfig {
  readonly chainId: number;
  /** Null: an embedded local chain. */
  readonly rpcUrl: string | null;
  /** Tried in this order if `rpcUrl` fails. */
  readonly rpcFallbackUrls: readonly string[];
  readonly tokens: readonly Token[];
  /** The blocks that every payment waits for. */
  readonly confirmations: number;
  /** The depth that payments need, by amount. */
  readonly finality: Finality;
  /** The spend permission manager contract; null: the known one of the chain. */
  readonly spendPermissionManager: Wallet | null;
}

const rpcUrl = z.url({ protocol: /^https?$/, error: 'must be a URL that begins with http:// or https://' });

const entries = z
  .array(
    z.strictObject({
      chainId: z
        .int()
        .min(1)
        .max(2 ** 47),
      rpcUrl,
      rpcFallbackUrls: z.array(rpcUrl).max(5).default([]),
      tokens: z.record(z.string(), z.unknown()).optional(),
      confirmations: z.union([z.int(), z.string(), z.record(z.string(), z.unknown())]).optional(),
      spendPermissionManager: wallet.nullable().default(null),
    }),
  )
  .min(1, 'must have an entry')
  .max(20);

/**
 * Parses the `CHAINS` variable: a JSON array with an object for each chain. `tokens` and `confirmations` have the forms
 * of `TOKENS` and `CONFIRMATIONS`. Throws an `Error` with a message of one line.
 */
export function parseChains(json: string): readonly ChainConfig[] {
  const { success, data, error } = entries.safeParse(parseJson(json));
  if (!success) {
    const [issue] = error.issues;
    throw new Error(`${issue?.path.join('.') || 'the value'}: ${issue?.message}`);
  }
  const ids = data.map(({ chainId }) => chainId);
  const twice = ids.find((id, i) => ids.indexOf(id) !== i);
  if (twice !== undefined) throw new Error(`must name chain ${twice} once`);
  return data.map(({ chainId, tokens, confirmations, ...endpoints }) => {
    const finality = confirmations === undefined ? paceOf(chainId).finality : parseFinality(textOf(confirmations));
    const accepted = tokens === undefined ? defaultTokens(chainId) : parseTokens(JSON.stringify(tokens));
    if (accepted.length === 0) throw new Error(`chain ${chainId} is not known: its entry needs tokens`);
    return { chainId, ...endpoints, tokens: accepted, confirmations: baseBlocks(finality, chainId), finality };
  });
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The second local chain, as an embedded service. */
const slowChain = (): ChainConfig => ({
  chainId: SLOW_CHAIN_ID,
  rpcUrl: null,
  rpcFallbackUrls: [],
  tokens: defaultTokens(SLOW_CHAIN_ID),
  confirmations: baseBlocks(paceOf(SLOW_CHAIN_ID).finality, SLOW_CHAIN_ID),
  finality: paceOf(SLOW_CHAIN_ID).finality,
  spendPermissionManager: null,
});

interface Given {
  readonly CHAIN_ID?: number | undefined;
  readonly RPC_URL?: string | undefined;
  readonly CHAINS?: readonly ChainConfig[] | undefined;
}

/** The first chain as far as `CHAINS` describes it, and the chains after it. */
export interface ChainsConfig {
  readonly first: ChainConfig | null;
  readonly further: readonly ChainConfig[];
}

/**
 * Divides the chains of `CHAINS`. With `CHAIN_ID` or `RPC_URL`, the old variables describe the first chain and `CHAINS`
 * the further ones; else the first entry is the first chain. Without any of them there are two embedded local chains.
 * Faults are added to `faults`: a chain that both name, and local chains beside public ones.
 */
export function readChains(
  { CHAIN_ID, RPC_URL, CHAINS }: Given,
  localChainId: number,
  { production, fault }: { readonly production: boolean; readonly fault: (problem: string) => void },
): ChainsConfig {
  const old = CHAIN_ID !== undefined || RPC_URL !== undefined;
  if (CHAINS === undefined) return { first: null, further: old || production ? [] : [slowChain()] };
  const first = old ? null : CHAINS[0]!;
  const rest = old ? CHAINS : CHAINS.slice(1);
  const firstId = first?.chainId ?? CHAIN_ID ?? localChainId;
  if (rest.some(({ chainId }) => chainId === firstId)) fault(`must not name chain ${firstId}, which CHAIN_ID names`);
  if (rest.some(({ chainId }) => isLocalChain(chainId) !== isLocalChain(firstId)))
    fault('must not have local chains beside public ones: test tokens would count as money');
  return { first, further: rest };
}
