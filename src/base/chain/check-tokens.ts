import { ContractFunctionRevertedError, ContractFunctionZeroDataError, hexToString, parseAbi } from 'viem';
import { toAddress } from './address.ts';
import { assertChainId, type Chain, findError, reach } from './client.ts';
import type { Token } from './token.ts';

const abi = parseAbi(['function decimals() view returns (uint8)', 'function symbol() view returns (string)']);
/** Tokens older than the final ERC-20 standard answer with bytes32. */
const oldAbi = parseAbi(['function symbol() view returns (bytes32)']);

/** Symbols of the same token on other chains. */
const KNOWN_ALIASES: Readonly<Record<string, readonly string[]>> = { USDT: ['USD₮', 'USD₮0', 'USDT0'] };

/**
 * Compares each configured ERC-20 token with its contract: existence, decimals, and symbol in any letter case. Returns
 * the first difference as a sentence with the token, the configured and the actual value; null if there is none. Throws
 * `chain_unavailable`.
 */
export async function findTokenFault(chain: Chain): Promise<string | null> {
  const [faults] = await reach(
    Promise.all([Promise.all(chain.tokens.map((token) => faultOf(chain, token))), assertChainId(chain)]),
  );
  return faults.find((fault) => fault !== null) ?? null;
}

async function faultOf({ client, chainId }: Chain, token: Token): Promise<string | null> {
  if (token.address === null) return null;
  const { symbol, decimals } = token;
  const address = toAddress(token.address);
  if (!(await client.getCode({ address }))) return `${symbol}: there is no contract at ${address} on chain ${chainId}`;
  const actual = await orNull(client.readContract({ address, abi, functionName: 'decimals' }));
  if (actual === null) return `${symbol}: the contract at ${address} has no decimals, so it is not an ERC-20 token`;
  if (actual !== decimals) return `${symbol}: decimals is ${decimals}, and its contract at ${address} says ${actual}`;
  const named = await symbolOf(client, address);
  const expected = token.onChainSymbol ?? symbol;
  const accepted = [expected, ...(token.onChainSymbol === undefined ? (KNOWN_ALIASES[symbol] ?? []) : [])];
  if (accepted.some((name) => name.toLowerCase() === named.toLowerCase())) return null;
  return (
    `${symbol}: the contract at ${address} calls itself ${JSON.stringify(named)}, not ${JSON.stringify(expected)}; ` +
    `if it is the right token, add "onChainSymbol": ${JSON.stringify(named)}`
  );
}

/** The contract's symbol; empty if it has none, which the standard allows. */
async function symbolOf(client: Chain['client'], address: `0x${string}`): Promise<string> {
  try {
    return (await orNull(client.readContract({ address, abi, functionName: 'symbol' }))) ?? '';
  } catch (error) {
    const bytes = await orNull(client.readContract({ address, abi: oldAbi, functionName: 'symbol' })).catch(() => {
      throw error;
    });
    return bytes === null ? '' : hexToString(bytes, { size: 32 });
  }
}

/** Null if the contract does not implement the call. */
async function orNull<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (findError(error, ContractFunctionRevertedError, ContractFunctionZeroDataError)) return null;
    throw error;
  }
}
