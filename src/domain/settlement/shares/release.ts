import type { TransactionCall } from '../../../base/chain/create2.ts';
import { RELEASE_GAS_MAX, readReleasable, releaseTransaction, runsOutOfGas } from '../../../base/chain/splitter.ts';
import type { Token } from '../../../base/chain/token.ts';
import { Refusal } from '../../../base/core/errors.ts';
import { reasonOf } from '../../../base/core/reason.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { estimateCall } from '../../../base/onchain/spender/fees.ts';
import type { Want } from '../../../base/onchain/spender/nonce-store.ts';
import { sendTransactions } from '../../../base/onchain/spender/send-transactions.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { requestDeployment } from '../../shop/splits/deployed.ts';
import { announceShares, CHANGED } from './compute-owed.ts';
import type { SendDeps } from './deps.ts';
import { isDue, readWaiting, type Waiting } from './due.ts';
import { recordSent, releaseSubject } from './outcomes.ts';
import type { Place, PlaceWalk } from './place-walk.ts';

/**
 * Releases what the payees of splits are owed and no collection has released, once it is due: see `isDue`. What was
 * just asked for comes first. Each payee has its own transaction, which pays everything that has accumulated since the
 * last. Payees are independent: a failed payee is retried later, and a payee
 * whose contract needs too much gas must release its share itself. If nothing is due any more, another sender released
 * first, which counts as success. Returns the nonces.
 */
export async function releaseShares(deps: SendDeps, walk: PlaceWalk): Promise<number[]> {
  if (deps.pause.lasts()) return [];
  const asked = await deps.asked();
  for (const place of asked) deps.rests.changed(place);
  const isAsked = (one: Place) => asked.some(({ split, token }) => split === one.split && token === one.token);
  const places = [...asked, ...(await walk()).filter((place) => !isAsked(place))];
  const prepared = await Promise.all(places.map((place) => prepareReleases(deps, place)));
  const nonces: number[] = [];
  for (const [i, wants] of prepared.entries()) {
    if (deps.pause.lasts()) break;
    if (wants !== null) nonces.push(...(await sendReleases(deps, places[i]!, wants)));
  }
  return nonces;
}

const taskOf = ({ split, token }: Place): string => `batch:${split}/${token}`;

/** The releases to send at a place; null if that is not known now. */
async function prepareReleases(deps: SendDeps, place: Place): Promise<Want[] | null> {
  const known = deps.chain.tokens.find(({ symbol }) => symbol === place.token);
  if (!known || !deps.backoff.mayTry(taskOf(place))) return null;
  try {
    const wants = await findReleases(deps, place, known);
    deps.backoff.succeeded(taskOf(place));
    return wants;
  } catch (error) {
    failed(deps, place, error);
    return null;
  }
}

function failed({ backoff, log }: SendDeps, place: Place, error: unknown): void {
  backoff.failed(taskOf(place));
  log.warn({ split: place.split, symbol: place.token, reason: reasonOf(error) }, 'release of shares failed');
}

async function findReleases(deps: SendDeps, place: Place, token: Token): Promise<Want[]> {
  const batch = await readWaiting(deps, place);
  if (!batch) return [];
  const isFailing = ({ payee }: Waiting) => deps.backoff.hasFailed(releaseSubject({ ...place, payee }));
  const fresh = batch.payees.filter((one) => !one.selfRelease && !isFailing(one));
  const due = await isDue(deps, token, fresh, fresh.length);
  // A payee that was due and could not be paid does not make the small shares of the others due.
  if (!due && !batch.payees.some(isFailing)) return [];
  if (!batch.deployed) {
    if (due) await requestDeployment(deps.db, deps.chain, place.split);
    return [];
  }
  const releasable = await readReleasable(deps.chain, place.split, token.address, batch.recipients);
  const excluded = new Set(batch.payees.filter((one) => one.selfRelease || !(due || isFailing(one))));
  const wants: Want[] = [];
  for (const [payee, amount] of releasable) {
    const known = batch.payees.find((one) => one.payee === payee);
    if (amount <= 0n || (known ? excluded.has(known) : !due)) continue;
    const subject = releaseSubject({ ...place, payee });
    if (deps.open.has(subject) || !deps.backoff.mayTry(subject)) continue;
    const want = await prepareRelease(deps, { ...place, payee, address: token.address, amount });
    if (want) wants.push(want);
  }
  return wants;
}

interface Due extends Place {
  readonly payee: Wallet;
  /** The token's contract; null for the native coin. */
  readonly address: Wallet | null;
  /** Base units. */
  readonly amount: bigint;
}

/** The release to send; null if the payee cannot be paid now. */
async function prepareRelease(deps: SendDeps, due: Due): Promise<Want | null> {
  const { split, token, payee, address } = due;
  const subjectId = releaseSubject(due);
  const call = releaseTransaction(split, address, payee);
  let reason: string;
  try {
    const gas = await gasOf(deps, due, call);
    if (typeof gas === 'bigint') return { purpose: 'release', merchant: '', subjectId, call, gas, staleAt: null };
    if (gas === null) return null;
    reason = gas.reason;
  } catch (error) {
    if (error instanceof Refusal) throw error;
    reason = reasonOf(error);
  }
  deps.backoff.failed(subjectId);
  deps.log.warn({ split, symbol: token, payee, reason }, 'payee could not be paid');
  return null;
}

/** The gas limit; null if the payee must release its share itself; else why the release would revert. */
async function gasOf(
  deps: SendDeps,
  { split, token, payee, address, amount }: Due,
  call: TransactionCall,
): Promise<bigint | null | { readonly reason: string }> {
  const estimate = await estimateCall(deps.chain, deps.wallet, call, RELEASE_GAS_MAX);
  if (estimate.kind === 'ready') return estimate.gas;
  const burns = address === null && (await runsOutOfGas(deps.chain, split, payee, amount));
  if (estimate.kind !== 'over_gas_max' && !burns) return estimate;
  announceShares(deps.bus, await deps.db.run(LEFT_TO_PAYEE, { chainId: deps.chain.chainId, split, token, payee }));
  deps.log.warn({ split, symbol: token, payee, gasMax: Number(RELEASE_GAS_MAX) }, 'payee must release its own share');
  return null;
}

const LEFT_TO_PAYEE = query('settlement-left-to-payee', (db, $: Place & { chainId: number; payee: Wallet }) =>
  db
    .updateTable('SettlementShare')
    .set({ selfRelease: true, ...CHANGED })
    .where('chainId', '=', $.chainId)
    .where('split', '=', $.split)
    .where('token', '=', $.token)
    .where('payee', '=', $.payee)
    .where('settledAt', 'is', null)
    .where('owed', 'is not', null)
    .returning('merchant'),
);

async function sendReleases(deps: SendDeps, place: Place, wants: readonly Want[]): Promise<number[]> {
  try {
    const stored = await sendTransactions(deps, deps.wallet, wants, (uow, sent) => recordSent(deps, uow, place, sent));
    if (typeof stored === 'string') {
      deps.pause.begin();
      return [];
    }
    if (stored.length === 0) deps.rests.unchanged('release', place);
    return stored.map(({ transaction }) => transaction.nonce);
  } catch (error) {
    failed(deps, place, error);
    return [];
  }
}
