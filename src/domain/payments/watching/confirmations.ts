import { sql } from 'kysely';
import { readHead } from '../../../base/chain/blocks.ts';
import type { Chain } from '../../../base/chain/client.ts';
import { blocksOf, paceOf, readTaggedBlock } from '../../../base/chain/finality.ts';
import { type Depth, depthFor, type FinalityTag, isTag } from '../../../base/core/finality.ts';
import { keptBy } from '../../../base/core/kept.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import type { Logger } from '../../../base/platform/log/log.ts';
import { chainOf } from '../../../base/platform/on-chain.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { isDeepEnough } from '../transfers/core/confirm.ts';
import { worthCents } from '../transfers/worth.ts';

type ConfirmationsDeps = Pick<Deps, 'db' | 'chain' | 'chains'>;

/** The confirmations of a receipt's payment. */
export interface Progress {
  /**
   * The number of blocks on top of the payment's block, as far as the watcher has read; at most `confirmationsNeeded`.
   */
  readonly confirmations: number;
  /** The number of blocks that make the payment final; with a tag the number that it usually takes, at most. */
  readonly confirmationsNeeded: number;
  /** The block tag that must reach the payment; null if it needs a number of blocks. */
  readonly confirmationTag: FinalityTag | null;
  /** How long that usually takes, in ms. */
  readonly expectedConfirmationMs: number;
}

interface PaymentsOn {
  readonly merchant: Wallet;
  readonly receiptIds: readonly string[];
}

/** The depth of each receipt's latest transfer, and what counts for the depth that it needs. */
const DEPTHS = query(
  'payments-depths',
  (db, $: PaymentsOn) =>
    db
      .selectFrom('Receipt as r')
      .leftJoin('Transfer as t', (join) =>
        join.onRef('t.merchant', '=', 'r.merchant').onRef('t.receiptId', '=', 'r.id').on('t.canonical', '=', true),
      )
      .leftJoin('ChainCursor as c', 'c.chainId', 't.chainId')
      .select((eb) => [
        'r.id as receiptId',
        't.chainId',
        sql<number>`coalesce(greatest(0, ${eb.ref('c.head')} - ${eb.fn.max('t.blockNumber')}), 0)`.as('depth'),
        sql<number>`max(${worthCents(eb.ref('r.totalCents'), eb.ref('t.usd'))})`.as('worthCents'),
      ])
      .where('r.merchant', '=', $.merchant)
      .where(({ ref }) => sql<boolean>`${ref('r.id')} = any(${$.receiptIds})`)
      .groupBy(['r.id', 't.chainId', 'c.head'])
      .orderBy(
        (eb) => eb.fn.max('t.blockTimeMs'),
        (order) => order.asc().nullsFirst(),
      ),
  { computed: { depth: 'int8', worthCents: 'int8' } },
);

/** The confirmations of each receipt's latest payment, in the order of the receipts; 0 without a payment. */
export async function readProgressOf(
  deps: ConfirmationsDeps,
  merchant: Wallet,
  receiptIds: readonly string[],
): Promise<Progress[]> {
  const rows = await deps.db.run(DEPTHS, { merchant, receiptIds });
  // Of several chains the one with the latest payment.
  const found = new Map(rows.map((row) => [row.receiptId, row]));
  return receiptIds.map((id) => {
    const { depth, worthCents, chainId } = found.get(id) ?? { depth: 0, worthCents: 0, chainId: null };
    const chain = (chainId === null ? null : chainOf(deps, chainId)) ?? deps.chain;
    const needed = neededFor(chain, depthFor(chain.finality, worthCents));
    return { confirmations: Math.min(depth, needed.confirmationsNeeded), ...needed };
  });
}

/** What a payment of a depth needs. Every payment waits for the chain's `confirmations`, also with a tag. */
export function neededFor(
  { chainId, confirmations }: Pick<Chain, 'chainId' | 'confirmations'>,
  depth: Depth,
): Omit<Progress, 'confirmations'> {
  const pace = paceOf(chainId);
  const confirmationsNeeded = Math.max(confirmations, blocksOf(depth, pace));
  return {
    confirmationsNeeded,
    confirmationTag: isTag(depth) ? depth : null,
    expectedConfirmationMs: confirmationsNeeded * pace.blockMs,
  };
}

/** The confirmations of one receipt. */
export async function readProgress(deps: ConfirmationsDeps, merchant: Wallet, receiptId: string): Promise<Progress> {
  const [progress] = await readProgressOf(deps, merchant, [receiptId]);
  return progress!;
}

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
