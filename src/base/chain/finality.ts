import { BlockNotFoundError, RpcError, RpcRequestError } from 'viem';
import { type Depth, type Finality, type FinalityTag, isTag } from '../core/finality.ts';
import { type Chain, findError, reach } from './client.ts';

/** How fast a chain makes blocks and calls them final. */
export interface ChainPace {
  readonly name: string;
  readonly blockMs: number;
  /**
   * The blocks that a tag usually is behind the head, at most. A node that does not know a tag waits for this number
   * instead.
   */
  readonly tagBlocks: Readonly<Record<FinalityTag, number>>;
  /** The confirmations by amount unless the operator sets others. The first one is a number of blocks. */
  readonly finality: readonly [{ readonly fromCents: 0; readonly depth: number }, ...Finality[number][]];
}

const tiers = (small: number, ...larger: readonly [usd: number, depth: Depth][]): ChainPace['finality'] => [
  { fromCents: 0, depth: small },
  ...larger.map(([usd, depth]) => ({ fromCents: usd * 100, depth })),
];
const pace = (
  name: string,
  blockMs: number,
  [safe, finalized]: readonly [safe: number, finalized: number],
  finality: ChainPace['finality'],
): ChainPace => ({ name, blockMs, tagBlocks: { safe, finalized }, finality });

const TEST_BLOCKS = 3;

/** What is known of chains, by chain id. */
const PACES: ReadonlyMap<number, ChainPace> = new Map([
  [31_337, pace('local', 1_000, [32, 64], tiers(2))],
  [31_338, pace('local, slower', 3_000, [32, 64], tiers(2))],
  [1, pace('Ethereum', 12_000, [64, 96], tiers(12, [10_000, 'finalized']))],
  [8_453, pace('Base', 2_000, [150, 600], tiers(12, [1_000, 'safe'], [10_000, 'finalized']))],
  [10, pace('OP Mainnet', 2_000, [150, 600], tiers(12, [1_000, 'safe'], [10_000, 'finalized']))],
  [42_161, pace('Arbitrum One', 250, [3_600, 4_800], tiers(48, [1_000, 'safe'], [10_000, 'finalized']))],
  [137, pace('Polygon', 2_000, [32, 64], tiers(16, [1_000, 'finalized']))],
  [43_114, pace('Avalanche', 2_000, [2, 2], tiers(2, [10_000, 'finalized']))],
  [100, pace('Gnosis', 5_000, [32, 48], tiers(12, [10_000, 'finalized']))],
  [11_155_111, pace('Sepolia', 12_000, [64, 96], tiers(TEST_BLOCKS))],
  [560_048, pace('Hoodi', 12_000, [64, 96], tiers(TEST_BLOCKS))],
  [84_532, pace('Base Sepolia', 2_000, [150, 600], tiers(TEST_BLOCKS))],
  [11_155_420, pace('OP Sepolia', 2_000, [150, 600], tiers(TEST_BLOCKS))],
  [421_614, pace('Arbitrum Sepolia', 250, [3_600, 4_800], tiers(TEST_BLOCKS))],
  [80_002, pace('Polygon Amoy', 2_000, [32, 64], tiers(TEST_BLOCKS))],
  [43_113, pace('Avalanche Fuji', 2_000, [2, 2], tiers(TEST_BLOCKS))],
  [10_200, pace('Chiado', 5_000, [32, 48], tiers(TEST_BLOCKS))],
]);

/** A chain that is not in the table: 12 blocks for every amount. */
const UNKNOWN = pace('other chains', 12_000, [64, 96], tiers(12));

/** All of the table by chain id, for the documents; null stands for all other chains. */
export const knownPaces = (): readonly (readonly [number | null, ChainPace])[] => [...PACES, [null, UNKNOWN]];

/** What is known of a chain; cautious values for a chain that is not in the table. */
export const paceOf = (chainId: number): ChainPace => PACES.get(chainId) ?? UNKNOWN;

/**
 * The blocks that every payment waits for before it is read a second time: those of the smallest payments, or of the
 * chain's defaults if these wait for a tag.
 */
export const baseBlocks = ([{ depth }]: Finality, chainId: number): number =>
  isTag(depth) ? paceOf(chainId).finality[0].depth : depth;

/** The number of blocks of a depth; for a tag the number that it usually takes, at most. */
export const blocksOf = (depth: Depth, { tagBlocks }: Pick<ChainPace, 'tagBlocks'>): number =>
  isTag(depth) ? tagBlocks[depth] : depth;

/** The largest number of blocks that a payment waits for. */
export const deepestBlocks = (finality: Finality, chainId: number): number =>
  Math.max(baseBlocks(finality, chainId), ...finality.map(({ depth }) => blocksOf(depth, paceOf(chainId))));

/** The errors of a node that does not know a block tag: invalid or unsupported parameters, or an unknown block. */
const UNKNOWN_TAG_CODES: ReadonlySet<number> = new Set([-32_600, -32_602, -32_601, -32_000, -32_001, -39_001]);

/**
 * The newest block with a tag; null if the node does not know the tag, or has no such block yet. Throws
 * `chain_unavailable`.
 */
export async function readTaggedBlock(chain: Chain, tag: FinalityTag): Promise<number | null> {
  try {
    const block = await reach(
      chain.client.getBlock({ blockTag: tag }).catch((error: unknown) => {
        if (isUnknownTag(error)) return null;
        throw error;
      }),
    );
    return block?.number == null ? null : Number(block.number);
  } catch (error) {
    if (findError(error, BlockNotFoundError)) return null;
    throw error;
  }
}

function isUnknownTag(error: unknown): boolean {
  const answer = findError(error, RpcError, RpcRequestError);
  return answer !== null && UNKNOWN_TAG_CODES.has(answer.code);
}
