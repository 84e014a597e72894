import { readHead } from '../../../base/chain/blocks.ts';
import type { Chain } from '../../../base/chain/client.ts';
import { paceOf, readTaggedBlock } from '../../../base/chain/finality.ts';
import { type Depth, type FinalityTag, isTag } from '../../../base/core/finality.ts';
import { keptBy } from '../../../base/core/kept.ts';
import type { Logger } from '../../../base/platform/log/log.ts';
import { isDeepEnough } from '../transfers/core/confirm.ts';

/** The tags that a node was reported not to know. */
const reportedOf = keptBy('unknown finality tags', (_chain: Chain) => new Set<FinalityTag>());

/**
 * The newest block with a tag. For a node that does not know the tag it is the block as many blocks below the head as
 * the chain usually needs, and the log gets one alert. Null if the node did not answer.
 */
async function taggedBlock(chain: Chain, log: Logger, tag: FinalityTag, head: number): Promise<number | null> {
  const reported = reportedOf(chain);
  try {
    const block = await readTaggedBlock(chain, tag);
    if (block !== null) {
      reported.delete(tag);
      return Math.min(block, head);
    }
  } catch {
    return null;
  }
  const blocks = paceOf(chain.chainId).tagBlocks[tag];
  if (!reported.has(tag)) {
    reported.add(tag);
    log.error(
      { alert: 'finality_tag_unknown', chainId: chain.chainId, tag, blocks },
      `the RPC does not know ${tag} blocks: payments wait for ${blocks} blocks instead; use another RPC or CONFIRMATIONS`,
    );
  }
  return head - blocks;
}

/** Tells whether blocks have a depth. Reads each tag at most once, and only if a payment needs it. */
export function createDepthCheck(
  chain: Chain,
  log: Logger,
  head: number,
): (block: number, depth: Depth) => Promise<boolean> {
  const tagged = { safe: undefined, finalized: undefined } as Record<FinalityTag, number | null | undefined>;
  return async (block, depth) => {
    if (isTag(depth) && tagged[depth] === undefined) tagged[depth] = await taggedBlock(chain, log, depth, head);
    const { safe = null, finalized = null } = tagged;
    return isDeepEnough(block, depth, { head, tagged: { safe, finalized } });
  };
}

/** Reports tags of `CONFIRMATIONS` that the RPC does not know, before a payment needs them. */
export async function checkTags(chain: Chain, log: Logger): Promise<void> {
  const tags = new Set(chain.finality.map(({ depth }) => depth).filter(isTag));
  if (tags.size === 0) return;
  const head = Number((await readHead(chain)).number);
  for (const tag of tags) await taggedBlock(chain, log, tag, head);
}
