import { sql } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import { type Context, readOnce } from '../../../base/graphql/context.ts';
import { onChain, tokenOn } from '../../../base/platform/on-chain.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';
import { isDue } from '../shares/due.ts';
import type { Payout } from './list-payouts.ts';

/** What a payout or a batch waits for. */
export const WAITS_FOR = {
  confirmations: 'The payment, or its collection, is not final on the chain yet.',
  collection:
    'The money is still at the address of the receipt. The server collects it once that is worth its cost, or when it is asked for; until then the merchant and each recipient may collect it with `collections`.',
  minimum:
    'The shares of a split in one token wait until together they are worth their release, or until it is asked for.',
  deployment: 'It is due. Its split contract is not on the chain yet; the server deploys it first.',
  server: 'It is due. The server sends its release soon, and tries again if it fails.',
  transaction: 'Its release is sent, and is not final on the chain yet.',
  recipient: 'The recipient must release it: the server releases nothing, or the recipient’s contract needs more gas.',
} as const;

export type WaitsFor = keyof typeof WAITS_FOR;

const WAITING = query(
  'payouts-waiting',
  (db, $: { merchant: Wallet }) =>
    db
      .selectFrom('SettlementShare as o')
      .innerJoin('Split as s', (join) => join.onRef('s.chainId', '=', 'o.chainId').onRef('s.address', '=', 'o.split'))
      .select(['o.chainId', 'o.split', 'o.token', 's.deployed'])
      .select((eb) => [
        sql<number>`count(*)`.as('payouts'),
        sql<number>`count(distinct ${eb.ref('o.payee')})`.as('releases'),
        eb.fn.sum<string>('o.owed').as('owed'),
        // A share that was computed before its time was stored has waited long enough.
        eb.fn.min(eb.fn.coalesce('o.dueSince', sql<number>`0::bigint`)).as('since'),
        sql<boolean>`bool_or(${eb.ref('o.releaseRequestedAt')} is not null)`.as('requested'),
      ])
      .where('o.merchant', '=', $.merchant)
      .where('o.settledAt', 'is', null)
      .where('o.owed', 'is not', null)
      .where('o.transactionHash', 'is', null)
      .where('o.selfRelease', '=', false)
      .groupBy(['o.chainId', 'o.split', 'o.token', 's.merchant', 's.id'])
      .orderBy('o.chainId')
      .orderBy('o.split')
      .orderBy('o.token'),
  {
    slow: true,
    computed: { payouts: 'int8', releases: 'int8', owed: 'numeric', since: 'int8', requested: 'bool' },
  },
);

/** The shares whose money is at the addresses of receipts, with its sum. */
const UNCOLLECTED = query(
  'payouts-uncollected',
  (_db, $: { merchant: Wallet }) => sql<RowOf<typeof WAITING>>`
    select o.chain_id as "chainId", o.split, o.token, s.deployed, sum(o.payouts)::int8 as payouts, count(*) as releases,
           sum(x.amount) as owed, min(o.since) as since, bool_or(o.requested) as requested
      from (select chain_id, split, token, receipt_id, count(*) as payouts, min(created_at) as since,
                   bool_or(release_requested_at is not null) as requested
              from settlement_shares
             where merchant = ${$.merchant} and settled_at is null and owed is null
             group by chain_id, split, token, receipt_id) o
      join splits s on s.chain_id = o.chain_id and s.address = o.split
      cross join lateral (
            select sum(t.amount) as amount from transfers t
             where t.merchant = ${$.merchant} and t.receipt_id = o.receipt_id and t.chain_id = o.chain_id
               and t.split = o.split and t.token = o.token and t.canonical and not t.collected) x
     where x.amount is not null
     group by o.chain_id, o.split, o.token, s.deployed
     order by o.chain_id, o.split, o.token`,
  {
    slow: true,
    computed: {
      ...{ chainId: 'int8', split: 'text', token: 'text', deployed: 'bool', payouts: 'int8', releases: 'int8' },
      ...{ owed: 'numeric', since: 'int8', requested: 'bool' },
    },
  },
);

/**
 * The waiting shares of a split in a token that the server releases together. Base units; times in epoch ms. `releases`
 * is what a request for them takes of the limit of a day: a transaction to each recipient, or the collection of each
 * receipt, which costs as much.
 */
export interface PayoutBatch extends RowOf<typeof WAITING> {
  readonly waitsFor: Extract<WaitsFor, 'collection' | 'minimum' | 'deployment' | 'server' | 'recipient'>;
}

type WaitingDeps = Pick<Context, 'db' | 'settings' | 'chain' | 'chains' | 'clock' | 'rates'>;

/** What waits to be released, by split and token. Shares whose release is on its way are not part of it. */
export async function readBatches(deps: WaitingDeps, merchant: Wallet): Promise<PayoutBatch[]> {
  const [rows, uncollected] = await Promise.all([
    deps.db.run(WAITING, { merchant }),
    deps.db.run(UNCOLLECTED, { merchant }),
  ]);
  const collected = await Promise.all(rows.map(async (row) => ({ ...row, waitsFor: await stateOf(deps, row) })));
  return [...uncollected.map((row) => ({ ...row, waitsFor: 'collection' as const })), ...collected];
}

async function stateOf(deps: WaitingDeps, row: RowOf<typeof WAITING>): Promise<PayoutBatch['waitsFor']> {
  const token = tokenOn(deps, row.chainId, row.token);
  if (deps.settings.settlementPrivateKey === null || !token) return 'recipient';
  if (!(await isDue(onChain(deps, row.chainId), token, [row], row.releases))) return 'minimum';
  return row.deployed ? 'server' : 'deployment';
}

/** All payouts of a response share one read. */
const batchesOf = (context: Context, merchant: Wallet): Promise<PayoutBatch[]> =>
  readOnce(context, `waiting payouts ${merchant}`, () => readBatches(context, merchant));

/** What a payout waits for; null once it is released. */
export async function waitOf(context: Context, payout: Payout): Promise<WaitsFor | null> {
  if (payout.settledAt !== null) return null;
  if (payout.isUncollected) return 'collection';
  if (payout.owed === null) return 'confirmations';
  if (payout.transactionHash !== null) return 'transaction';
  if (payout.selfRelease || context.settings.settlementPrivateKey === null) return 'recipient';
  const batches = await batchesOf(context, payout.merchant);
  const isOf = ({ chainId, split, token, waitsFor }: PayoutBatch) =>
    waitsFor !== 'collection' && chainId === payout.chainId && split === payout.split && token === payout.token;
  return batches.find(isOf)?.waitsFor ?? 'server';
}
