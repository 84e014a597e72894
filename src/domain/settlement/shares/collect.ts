import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import { askStranger } from '../../../base/chain/ask-stranger.ts';
import { readBalance } from '../../../base/chain/balances.ts';
import { reach } from '../../../base/chain/client.ts';
import type { TransactionCall } from '../../../base/chain/create2.ts';
import { receiptSalt } from '../../../base/chain/receipt-address.ts';
import { collectCall, RECEIPT_FACTORY } from '../../../base/chain/receipt-record.ts';
import type { Token } from '../../../base/chain/token.ts';
import { transferCall } from '../../../base/chain/transfer-call.ts';
import { collectionsWithoutEffect } from '../../../base/core/observed.ts';
import { reasonOf } from '../../../base/core/reason.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { countSent } from '../../../base/onchain/spender/count-sent.ts';
import { estimateCall } from '../../../base/onchain/spender/fees.ts';
import type { Want } from '../../../base/onchain/spender/nonce-store.ts';
import { sendTransactions } from '../../../base/onchain/spender/send-transactions.ts';
import type { Database } from '../../../base/platform/postgres/database.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';
import { type CostRule, createCostRule, worthCollecting } from '../../payments/quotes/collection-cost.ts';
import { openDayBudget } from '../../shop/merchants/newcomer.ts';
import { requestDeployment } from '../../shop/splits/deployed.ts';
import { deployFactory, isFactoryDeployed } from './deploy.ts';
import type { SendDeps } from './deps.ts';
import { keepFound, noteWorth } from './overdue-collections.ts';
import type { Place } from './place-walk.ts';

const DAY_MS = 86_400_000;

/** The addresses that one transaction collects from, and the gas that it may use. */
const BATCH = 100;
const BATCH_GAS_MAX = 10_000_000n;

/** An estimate is so much more than what is needed, and unused gas is not paid. */
const MARGIN = { is: 5n, of: 4n };

/** The addresses that are looked at in one round. */
const PAGE = 2_000;

interface PageKey extends Place {
  readonly address: Wallet;
}

/** The addresses that hold money for a verified split, in listed tokens. */
const TO_COLLECT = query(
  'settlement-to-collect',
  (db, $: PageKey & { chainId: number; confirmed: number; tokens: readonly string[]; resting: readonly string[] }) =>
    selectCollectable(db, $)
      .where('s.verified', '=', true)
      .select(['a.address', 'a.factory', 'a.split', 'a.merchant', 'a.receiptId', 'a.createdAt', 'a.number', 't.token'])
      .select(['s.deployed', 's.recipients'])
      .select((eb) => [
        eb.fn.sum<string>('t.amount').as('amount'),
        eb.fn.max<number>('t.blockNumber').as('newest'),
        eb
          .exists(
            eb
              .selectFrom('SettlementShare as o')
              .select('o.payee')
              .whereRef('o.merchant', '=', 'a.merchant')
              .whereRef('o.receiptId', '=', 'a.receiptId')
              .whereRef('o.chainId', '=', 't.chainId')
              .whereRef('o.split', '=', 't.split')
              .whereRef('o.token', '=', 't.token')
              .where('o.settledAt', 'is', null)
              .where('o.releaseRequestedAt', 'is not', null),
          )
          .$castTo<boolean>()
          .as('isRequested'),
      ])
      .where('t.blockNumber', '<=', $.confirmed)
      .where((eb) => sql<boolean>`${eb.ref('t.token')} = any(${$.tokens}::text[])`)
      .where((eb) => sql<boolean>`not ${eb.ref('t.payTo')} = any(${$.resting}::text[])`)
      .where(
        (eb) => sql<boolean>`(${eb.ref('t.split')}, ${eb.ref('t.token')}, ${eb.ref('t.payTo')})
          > (${$.split}, ${$.token}, ${$.address})`,
      )
      .groupBy(['a.address', 't.split', 't.token', 't.payTo', 't.chainId', 's.merchant', 's.id'])
      .orderBy('t.split')
      .orderBy('t.token')
      .orderBy('t.payTo')
      .limit(PAGE),
  { computed: { amount: 'numeric', newest: 'int8', isRequested: 'bool' } },
);

/** An address to collect from, in one token. */
type ToCollect = RowOf<typeof TO_COLLECT>;

const START: PageKey = { split: '' as Wallet, token: '', address: '' as Wallet };

/** The subject of a collection among the transactions of the lane: one at a time for a split, token and factory. */
const subjectOf = ({ split, token, factory }: ToCollect): string => `collect:${split}/${token}/${factory}`;

/** The task of one address, for the pauses after it was collected without effect. */
const taskOf = (address: Wallet): string => `collect:${address}`;

/**
 * Creates the step that collects what has arrived at the addresses of receipts, and releases it to the payees in the
 * same transaction. An address is collected while its share of the cost is small (`SWEEP_MAX_COST_PCT`), or when the
 * merchant asks for it. Only listed tokens and verified splits: others run code of strangers at the operator's expense.
 * The chain shows what was done: an address that still holds its money is tried again later, and holds up no other.
 * One call looks at one page of addresses. Returns the nonces.
 */
export function createCollector(): (deps: SendDeps, confirmed: number) => Promise<number[]> {
  let after = START;
  /** The newest arrival of each address that this process has collected, to notice a collection without effect. */
  const tried = new Map<string, number>();
  let present = new Set<string>();
  return async (deps, confirmed) => {
    if (deps.pause.lasts()) return [];
    const { chainId, tokens } = deps.chain;
    const resting = deps.backoff.delayed(taskOf('' as Wallet));
    const found = await deps.db.run(TO_COLLECT, {
      ...{ chainId, confirmed, ...after },
      tokens: tokens.map(({ symbol }) => symbol),
      resting,
    });
    for (const item of found) present.add(itemOf(item));
    const last = found.at(-1);
    after = found.length === PAGE && last ? { split: last.split, token: last.token, address: last.address } : START;
    if (after === START) {
      keepFound(deps, (item) => present.has(item) || resting.some((address) => item.startsWith(address)));
      present = new Set();
    }
    if (found.length === 0) return [];
    const hasNewest = await isFactoryDeployed(deps.chain, RECEIPT_FACTORY);
    const ready = hasNewest ? found : found.filter(({ factory }) => factory !== RECEIPT_FACTORY);
    const deployed = ready.length < found.length ? await deployFactory(deps) : [];
    const prepared = new Map<Want, readonly ToCollect[]>();
    for (const [, items] of Map.groupBy(ready, subjectOf)) {
      const collection = await prepareCollection(deps, items, tried);
      if (collection) prepared.set(...collection);
    }
    const stored = await sendTransactions(deps, deps.wallet, await withinBudget(deps, [...prepared.keys()]));
    if (typeof stored === 'string') {
      deps.pause.begin();
      return deployed;
    }
    for (const { want } of stored) for (const item of prepared.get(want) ?? []) tried.set(itemOf(item), item.newest);
    return [...deployed, ...stored.map(({ transaction }) => transaction.nonce)];
  };
}

/**
 * The collection of one split in one token, with what it collects; null if it is not worth its cost, or the split is
 * not deployed yet.
 */
async function prepareCollection(
  deps: SendDeps,
  items: readonly ToCollect[],
  tried: Map<string, number>,
): Promise<[Want, readonly ToCollect[]] | null> {
  const [{ split, token: symbol, merchant, recipients, deployed, factory }] = items as [ToCollect];
  const subjectId = subjectOf(items[0]!);
  const token = deps.chain.tokens.find((one) => one.symbol === symbol)!;
  if (deps.open.has(subjectId) || !deps.backoff.mayTry(subjectId)) return null;
  try {
    const rule = await createCostRule(deps, token, recipients.length);
    const worthy = worthCollecting(rule, items, BATCH);
    noteWorth(deps, (worthy.length < BATCH ? items : worthy).map(itemOf), worthy.map(itemOf));
    const chosen = await withEffect(deps, token, worthy, tried);
    if (chosen.length === 0) return null;
    if (!deployed) {
      await requestDeployment(deps.db, deps.chain, split);
      return null;
    }
    const sized = await sizeCollection(deps, rule, chosen, (batch) =>
      collectCall({
        ...{ factory, split, token: token.address },
        salts: batch.map(receiptSalt),
        payees: recipients.map(({ address }) => address),
      }),
    );
    if (sized.kind === 'ready') {
      const { call, gas } = sized;
      return [{ purpose: 'collect', merchant, subjectId, call, gas, staleAt: null }, sized.batch];
    }
    failed(deps, items[0]!, sized.reason);
  } catch (error) {
    failed(deps, items[0]!, reasonOf(error));
  }
  return null;
}

/** How often a collection is estimated: a smaller one each time. */
const ESTIMATES_MAX = 8;

/**
 * The largest amounts of a collection that are worth what the chain estimates for it, within the gas of a transaction:
 * a token, or a payee's code, may need more than usual, and holds up nothing that is worth it all the same.
 */
async function sizeCollection(
  deps: SendDeps,
  rule: CostRule,
  items: readonly ToCollect[],
  callOf: (batch: readonly ToCollect[]) => TransactionCall,
): Promise<
  | {
      readonly kind: 'ready';
      readonly call: TransactionCall;
      readonly gas: bigint;
      readonly batch: readonly ToCollect[];
    }
  | { readonly kind: 'reverts' | 'over_gas_max' | 'dear'; readonly reason: string }
> {
  let batch = items;
  let reason = '';
  for (let tried = 0; tried < ESTIMATES_MAX && batch.length > 0; tried++) {
    const call = callOf(batch);
    const estimate = await estimateCall(deps.chain, deps.wallet, call, BATCH_GAS_MAX);
    if (estimate.kind === 'reverts' || (estimate.kind === 'over_gas_max' && batch.length === 1)) return estimate;
    if (estimate.kind === 'over_gas_max') {
      batch = batch.slice(0, Math.ceil(batch.length / 2));
      continue;
    }
    const { gas } = estimate;
    // The estimate has a margin, and unused gas is not paid.
    const needed = (gas * MARGIN.of) / MARGIN.is;
    const worthy = batch.filter((item) => item.isRequested || rule(item, batch.length, needed));
    if (worthy.length === batch.length) return { kind: 'ready', call, gas, batch };
    reason = `it needs ${needed} gas, which its amounts are not worth`;
    batch = worthy;
  }
  return { kind: 'dear', reason };
}

function failed({ backoff, log }: SendDeps, item: ToCollect, reason: string): void {
  backoff.failed(subjectOf(item));
  log.warn({ split: item.split, symbol: item.token, reason }, 'collection failed');
}

const itemOf = ({ address, token }: Pick<ToCollect, 'address' | 'token'>): string => `${address}/${token}`;

/** Far above what a transfer of a listed token takes. */
const TRANSFER_GAS_MAX = 250_000n;

const LATEST_COLLECTION = query(
  'settlement-latest-collection',
  (db, $: { chainId: number; sender: Wallet; subjectId: string }) =>
    db
      .selectFrom('SpenderTransaction')
      .select('outcome')
      .where('chainId', '=', $.chainId)
      .where('sender', '=', $.sender)
      .where('purpose', '=', 'collect')
      .where('subjectId', '=', $.subjectId)
      .orderBy('createdAt', 'desc')
      .orderBy('nonce', 'desc')
      .limit(1),
);

/** Whether the latest collection with this item was never mined, because another transaction has used its nonce. */
async function wasVoided({ db, chain: { chainId }, wallet: { sender } }: SendDeps, item: ToCollect): Promise<boolean> {
  const [latest] = await db.run(LATEST_COLLECTION, { chainId, sender, subjectId: subjectOf(item) });
  return latest?.outcome === 'voided';
}

/**
 * The items whose money is still at their address and can be moved, by the chain's newest state. What was collected is
 * seen here before the watcher has read it. A token that refuses an address (a blacklist, a pause), or whose collection
 * had no effect, is left out and tried again later.
 */
async function withEffect(
  deps: SendDeps,
  token: Token,
  items: readonly ToCollect[],
  tried: Map<string, number>,
): Promise<ToCollect[]> {
  const { chain } = deps;
  const block = await reach(chain.client.getBlockNumber());
  const checked = await Promise.all(
    items.map(async (item) => {
      const held = await readBalance(chain, item.address, token.address, block);
      const wasSent = tried.get(itemOf(item)) === item.newest;
      tried.delete(itemOf(item));
      if (held === 0n) return [];
      const wasCollected = wasSent && !(await wasVoided(deps, item));
      const { to, data, value } = transferCall(token, item.split, held);
      const asked = await askStranger(chain, { from: item.address, to, data, value, gas: TRANSFER_GAS_MAX });
      if (asked.kind === 'returned' && !wasCollected) return [item];
      deps.backoff.failed(taskOf(item.address));
      const fields = { address: item.address, symbol: token.symbol };
      if (wasCollected) {
        collectionsWithoutEffect.publish({ chainId: chain.chainId });
        deps.log.error({ alert: 'collection_without_effect', ...fields }, 'collection mined without effect');
      } else deps.log.warn(fields, 'the money at an address cannot be collected');
      return [];
    }),
  );
  return checked.flat();
}

/** The wants within the transactions of a day of each merchant, of all newcomers, and of all merchants. */
async function withinBudget(deps: SendDeps, wants: readonly Want[]): Promise<Want[]> {
  const { perDay, perDayTotal } = deps.settings.settlement.sweeps;
  if ((perDay === null && perDayTotal === null) || wants.length === 0) return [...wants];
  const sent = await countSent(deps, deps.wallet, { purpose: 'collect', since: deps.clock() - DAY_MS });
  const asking = wants.map(({ merchant }) => merchant as Wallet);
  const take = await openDayBudget(deps.db, { perDay, total: perDayTotal }, sent, asking);
  return wants.filter(({ merchant, subjectId }) => {
    const full = take(merchant as Wallet);
    if (full === null) return true;
    deps.backoff.failed(subjectId);
    const fields = 'perDay' in full ? { merchant, sweepsPerDay: full.perDay } : { sweepsPerDayTotal: full.total };
    deps.log.warn(fields, 'the collections of 24 hours are used up');
    return false;
  });
}

/**
 * Whether the receipt `r` waits for no more money: it is paid, refunded or ended. A coin that is still owed is left
 * where it is, because a plain transfer of 21,000 gas fails once there is code.
 */
export const waitsForNoMore = <DB extends { r: Database['Receipt'] }>(eb: ExpressionBuilder<DB, 'r'>) => {
  const { status, closedAt } = { status: sql.ref<string>('r.status'), closedAt: sql.ref('r.closedAt') };
  return eb.or([sql<boolean>`${status} in ('paid', 'completed', 'refunded')`, sql<boolean>`${closedAt} is not null`]);
};

/**
 * The arrivals `t` on a chain whose money may be collected: at full depth, at the address `a` of a receipt `r` that
 * waits for no more, for the split `s`.
 */
export const selectCollectable = (db: Kysely<Database>, { chainId }: { readonly chainId: number }) =>
  db
    .selectFrom('Transfer as t')
    .innerJoin('ReceiptAddress as a', 'a.address', 't.payTo')
    .innerJoin('Receipt as r', (join) => join.onRef('r.merchant', '=', 't.merchant').onRef('r.id', '=', 't.addressOf'))
    .innerJoin('Split as s', (join) => join.onRef('s.chainId', '=', 't.chainId').onRef('s.address', '=', 't.split'))
    .where('t.chainId', '=', chainId)
    .where('t.canonical', '=', true)
    .where('t.collected', '=', false)
    .where('t.confirmedAt', 'is not', null)
    .where(waitsForNoMore);

/**
 * Whether a share is not computed yet because money that it is part of is still at the address that received it. For
 * SQL, by the name of the shares.
 */
export const isUncollected = (share: string) => {
  const of = (column: string) => sql.ref(`${share}.${column}`);
  return sql<boolean>`(${of('settled_at')} is null and ${of('owed')} is null and exists (
    select from transfers arrival
     where arrival.merchant = ${of('merchant')} and arrival.receipt_id = ${of('receipt_id')}
       and arrival.chain_id = ${of('chain_id')} and arrival.split = ${of('split')} and arrival.token = ${of('token')}
       and arrival.canonical and not arrival.collected))`;
};
