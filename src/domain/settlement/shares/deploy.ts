import type { ExpressionBuilder } from 'kysely';
import type { Chain } from '../../../base/chain/client.ts';
import { guardedDeployment } from '../../../base/chain/create2.ts';
import { RECEIPT_FACTORY, receiptFactoryDeployment } from '../../../base/chain/receipt-record.ts';
import { isDeployed, isFinallyDeployed } from '../../../base/chain/splitter.ts';
import { keptBy } from '../../../base/core/kept.ts';
import { reasonOf } from '../../../base/core/reason.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { countSent } from '../../../base/onchain/spender/count-sent.ts';
import { estimateCall } from '../../../base/onchain/spender/fees.ts';
import type { Want } from '../../../base/onchain/spender/nonce-store.ts';
import { sendTransactions } from '../../../base/onchain/spender/send-transactions.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import type { Database } from '../../../base/platform/postgres/database.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { openDayBudget } from '../../shop/merchants/newcomer.ts';
import { type DeployedDeps, forgetMissing, markDeployed } from '../../shop/splits/deployed.ts';
import type { SendDeps, SettlementDeps } from './deps.ts';

/** Whether the split `s` is current, or replaced with open shares. */
const isInUse = (eb: ExpressionBuilder<Database & { s: Database['Split'] }, 's'>) =>
  eb.or([
    eb('s.replacedAt', 'is', null),
    eb.exists(
      eb
        .selectFrom('SettlementShare as o')
        .select('o.payee')
        .whereRef('o.chainId', '=', 's.chainId')
        .whereRef('o.split', '=', 's.address')
        .where('o.settledAt', 'is', null),
    ),
  ]);

const AT_ONCE = 20;
const DAY_MS = 86_400_000;

/**
 * Splits that are to be deployed: current splits, and replaced splits with open shares. `onDemand` leaves out those
 * that are not needed yet.
 */
const UNDEPLOYED = query(
  'settlement-undeployed',
  (db, $: { chainId: number; resting: readonly string[]; onDemand: boolean }) =>
    db
      .selectFrom('Split as s')
      .select(['s.merchant', 's.address', 's.salt', 's.initCode'])
      .where('s.chainId', '=', $.chainId)
      .where('s.deployed', '=', false)
      .where('s.verified', '=', true)
      .where((eb) => eb.not(eb('s.address', '=', eb.fn.any(eb.val($.resting as readonly Wallet[])))))
      .where((eb) => eb.or([eb('s.deployRequested', '=', true), eb(eb.val($.onDemand), '=', false)]))
      .where(isInUse)
      .orderBy('s.createdAt')
      .limit(AT_ONCE),
);

type Undeployed = Awaited<ReturnType<typeof readUndeployed>>[number];

const readUndeployed = ({ db, chain, settings }: SettlementDeps, resting: readonly string[]) =>
  db.run(UNDEPLOYED, { chainId: chain.chainId, resting, onDemand: settings.settlement.deployOnDemand });

const taskOf = (split: Wallet): string => `deploy:${split}`;

/** What detects deployments: a server without a wallet leaves them to others. */
type FindDeps = SettlementDeps & Pick<SendDeps, 'backoff'> & { readonly wallet: SendDeps['wallet'] | null };

/**
 * Detects the splits that are deployed now: their code is on chain at full depth. Returns those that are not on chain
 * at all. A split that cannot be checked or deployed is tried again later and does not delay the others.
 */
export async function findUndeployed(deps: FindDeps): Promise<Undeployed[]> {
  const splits = await readUndeployed(deps, deps.backoff.delayed(taskOf('' as Wallet)));
  const missing = await Promise.all(splits.map(async (split) => ((await isMissing(deps, split)) ? [split] : [])));
  return missing.flat();
}

async function isMissing(deps: FindDeps, { address }: Undeployed): Promise<boolean> {
  const task = taskOf(address);
  try {
    // The state of the newest block first: an older one is asked only for a contract that is there, since a node may
    // have dropped it.
    if (!(await isDeployed(deps.chain, address))) {
      if (deps.wallet === null) deps.backoff.failed(task);
      return true;
    }
    if (await isFinallyDeployed(deps.chain, address)) await markDeployed(deps.db, deps.chain, address);
    // Otherwise only the confirmations are missing: the next round checks again.
    deps.backoff.succeeded(task);
  } catch (error) {
    failed(deps, address, reasonOf(error));
  }
  return false;
}

function failed({ backoff, log }: Pick<SendDeps, 'backoff' | 'log'>, split: Wallet, reason: string): void {
  backoff.failed(taskOf(split));
  log.warn({ split, reason }, 'split deployment failed');
}

/** Sends the deployments of the splits, within the daily budget of their merchants. Returns the nonces. */
export async function deploySplits(deps: SendDeps, splits: readonly Undeployed[]): Promise<number[]> {
  if (splits.length === 0 || deps.pause.lasts()) return [];
  const unsent = splits.filter(({ address }) => !deps.open.has(address));
  const affordable = await withinBudget(deps, unsent);
  const wants = (await Promise.all(affordable.map((split) => prepareDeployment(deps, split)))).flat();
  const stored = await sendTransactions(deps, deps.wallet, wants);
  if (typeof stored === 'string') {
    deps.pause.begin();
    return [];
  }
  return stored.map(({ transaction }) => transaction.nonce);
}

async function withinBudget(deps: SendDeps, splits: readonly Undeployed[]): Promise<Undeployed[]> {
  const { deploymentsPerDay: perDay, deploymentsPerDayTotal: total } = deps.settings.settlement;
  const sent = await countSent(deps, deps.wallet, { purpose: 'deploy_split', since: deps.clock() - DAY_MS });
  const asking = splits.map(({ merchant }) => merchant);
  const take = await openDayBudget(deps.db, { perDay, total }, sent, asking);
  return splits.filter(({ merchant, address }) => {
    const full = take(merchant);
    if (full === null) return true;
    const [whose, most] = 'perDay' in full ? ["the merchant's", full.perDay] : ['all', full.total];
    failed(deps, address, `${whose} ${most} deployments of 24 hours are used up`);
    return false;
  });
}

/** The deployment to send; none if another sender deployed first, or if the split is not one of ours. */
async function prepareDeployment(deps: SendDeps, { merchant, address, salt, initCode }: Undeployed): Promise<Want[]> {
  try {
    if (!salt || !initCode) throw new Error('the split has no creation code');
    const call = guardedDeployment({ address, salt, initCode });
    const estimate = await estimateCall(deps.chain, deps.wallet, call);
    if (estimate.kind === 'ready')
      return [{ purpose: 'deploy_split', merchant, subjectId: address, call, gas: estimate.gas, staleAt: null }];
    failed(deps, address, estimate.reason);
  } catch (error) {
    failed(deps, address, reasonOf(error));
  }
  return [];
}

const PAGE = 200;

const IN_USE = query('splits-deployed-in-use', (db, $: { chainId: number; after: Wallet }) =>
  db
    .selectFrom('Split as s')
    .select('s.address')
    .where('s.chainId', '=', $.chainId)
    .where('s.deployed', '=', true)
    .where('s.verified', '=', true)
    .where('s.address', '>', $.after)
    .where(isInUse)
    .orderBy('s.address')
    .limit(PAGE),
);

/**
 * Checks all deployed splits in use again after a reorganisation deeper than the confirmations, one page per call.
 * `confirmed` is the block up to which the watcher has read at full depth; it decreases only after such a
 * reorganisation.
 */
export function createDeploymentCheck(deps: DeployedDeps): (confirmed: number) => Promise<void> {
  let highest = 0;
  let after: Wallet | null = null;
  return async (confirmed) => {
    if (confirmed < highest) after = '' as Wallet;
    highest = confirmed;
    if (after === null) return;
    const page: { address: Wallet }[] = await deps.db.run(IN_USE, { chainId: deps.chain.chainId, after });
    await forgetMissing(
      deps,
      page.map(({ address }) => address),
    );
    after = page.at(-1)?.address ?? null;
  };
}

const foundOn = keptBy('factory of addresses', (_chain: Deps['chain']) => ({ found: false }));

/**
 * Whether a factory of receipts' addresses is on the chain; its code never goes. Only the newest one can be missing:
 * money was collected with an older one, or this server cannot deploy it. Throws `chain_unavailable`.
 */
export async function isFactoryDeployed(chain: Chain, factory: Wallet): Promise<boolean> {
  if (factory !== RECEIPT_FACTORY) return true;
  const known = foundOn(chain);
  known.found ||= await isDeployed(chain, factory);
  return known.found;
}

/** Deploys the factory, which the first collection needs. Returns the nonce. */
export async function deployFactory(deps: SendDeps): Promise<number[]> {
  const deployment = receiptFactoryDeployment();
  const { address } = deployment;
  const task = `deploy:${address}`;
  if (deps.pause.lasts() || deps.open.has(address) || !deps.backoff.mayTry(task)) return [];
  const call = guardedDeployment(deployment);
  const estimate = await estimateCall(deps.chain, deps.wallet, call);
  if (estimate.kind !== 'ready') {
    deps.backoff.failed(task);
    deps.log.warn({ factory: address, reason: estimate.reason }, 'deployment of the factory failed');
    return [];
  }
  const want: Want = {
    purpose: 'deploy_factory',
    merchant: '',
    subjectId: address,
    call,
    gas: estimate.gas,
    staleAt: null,
  };
  const stored = await sendTransactions(deps, deps.wallet, [want]);
  if (typeof stored === 'string') {
    deps.pause.begin();
    return [];
  }
  return stored.map(({ transaction }) => transaction.nonce);
}
