import type { Hash } from 'viem';
import type { Sender } from '../chain/sender.ts';
import { hasReleased, RELEASE_GAS_MAX, readReleasable, releaseTransaction, runsOutOfGas } from '../chain/splitter.ts';
import { Refusal } from '../core/errors.ts';
import { reasonOf } from '../core/reason.ts';
import type { Recipient } from '../core/shares.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Backoff } from '../platform/backoff.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';
import { forgetMissing } from '../splits/deployed.ts';
import type { Funds } from './funds.ts';
import type { Place, PlaceWalk, Rests } from './place-walk.ts';

/** Pending releases by payee, to avoid sending a release twice: the second one would only cost gas. */
export type InFlight = Map<
  string,
  { readonly hash: Hash /** Milliseconds of the monotonic clock. */; readonly sentAt: number }
>;

type ReleaseDeps = Pick<Deps, 'sql' | 'chain' | 'log'> & {
  readonly backoff: Backoff;
  readonly inFlight: InFlight;
  readonly rests: Rests;
  readonly funds: Funds;
};

/** A split with payees that have open shares of a token. */
interface Batch {
  readonly payees: readonly Recipient[];
  /** The payees that must release their own shares. */
  readonly selfReleasing: readonly Wallet[];
}

const BATCH = statement(
  'settlement-release-batch',
  `select s.recipients as payees, array(
            select payee from settlement_shares o
             where o.chain_id = s.chain_id and o.split = s.address and o.token = $3 and o.settled_at is null and o.owed is not null
             group by payee having bool_and(o.self_release)) as "selfReleasing"
     from splits s where s.chain_id = $1 and s.address = $2 and s.deployed and s.verified
      and exists (select 1 from settlement_shares o
                   where o.chain_id = s.chain_id and o.split = s.address and o.token = $3 and o.settled_at is null and o.owed is not null)`,
);

const OPEN_OF_PAYEE =
  'chain_id = $1 and split = $2 and token = $3 and payee = $4 and settled_at is null and owed is not null';

const SENT = statement(
  'payments-released-by',
  `update settlement_shares set transaction_hash = $5 where ${OPEN_OF_PAYEE} and transaction_hash is null`,
);

const LEFT_TO_PAYEE = statement(
  'settlement-left-to-payee',
  `update settlement_shares set self_release = true where ${OPEN_OF_PAYEE}`,
);

/**
 * How long to wait for a block with the release. After that a later round checks again, and the server can shut down.
 */
const WAIT_MS = 5_000;
/** A release that is in no block after this time is sent again. */
const LOST_MS = 10 * 60 * 1000;

/**
 * Releases the due amount to every payee of every split, each in its own transaction: one release pays everything that
 * has accumulated since the last. Payees are independent: a failed payee is retried later, and a payee whose contract
 * needs too much gas must release its share itself. If nothing is due any more, another sender released first, which
 * counts as success.
 */
export async function releaseShares(deps: ReleaseDeps, walk: PlaceWalk, sender: Sender): Promise<void> {
  if (deps.funds.areSpent()) return;
  await Promise.all((await walk()).map((place) => releaseBatch(deps, sender, place)));
}

async function releaseBatch(deps: ReleaseDeps, sender: Sender, place: Place): Promise<void> {
  const { split, token } = place;
  const known = deps.chain.tokens.find(({ symbol }) => symbol === token);
  const batch = `batch:${split}/${token}`;
  if (!known || !deps.backoff.mayTry(batch)) return;
  try {
    const [found] = await deps.sql.rows<Batch>(BATCH, [deps.chain.chainId, split, token]);
    const sent = found ? await releaseToAll(deps, sender, place, known.address, found) : [];
    const released = await Promise.all(sent.map((payee) => awaitRelease(deps, sender, place, payee)));
    if (released.includes(true)) deps.rests.changed(place);
    else deps.rests.unchanged('release', place);
    deps.backoff.succeeded(batch);
  } catch (error) {
    deps.backoff.failed(batch);
    deps.log.warn({ split, symbol: token, reason: reasonOf(error) }, 'release of shares failed');
  }
}

const keyOf = ({ split, token }: Place, payee: Wallet) => `payee:${split}/${token}/${payee}`;

/** Sends the releases that are due; returns the payees with pending releases. */
async function releaseToAll(
  deps: ReleaseDeps,
  sender: Sender,
  place: Place,
  token: Wallet | null,
  { payees, selfReleasing }: Batch,
): Promise<Wallet[]> {
  const due = await readReleasable(deps.chain, place.split, token, payees);
  const sent: Wallet[] = [];
  for (const { address: payee } of payees) {
    const amount = due.get(payee) ?? 0n;
    const what = keyOf(place, payee);
    if (amount <= 0n || selfReleasing.includes(payee) || !deps.backoff.mayTry(what)) continue;
    if (!deps.inFlight.has(what)) {
      const hash = await releaseTo(deps, sender, { ...place, payee, address: token, amount });
      if (hash === null) continue;
      deps.inFlight.set(what, { hash, sentAt: performance.now() });
      await deps.sql.rows(SENT, [deps.chain.chainId, place.split, place.token, payee, hash]);
    }
    sent.push(payee);
  }
  return sent;
}

interface Due extends Place {
  readonly payee: Wallet;
  /** The token's contract; null for the native coin. */
  readonly address: Wallet | null;
  /** Base units. */
  readonly amount: bigint;
}

/** Returns the transaction hash; null if the payee cannot be paid now. */
async function releaseTo(deps: ReleaseDeps, sender: Sender, due: Due): Promise<Hash | null> {
  const { split, token, payee, address, amount } = due;
  let reason: string;
  try {
    const sending = await sender.send(releaseTransaction(split, address, payee), { gasMax: RELEASE_GAS_MAX });
    if (sending.hash !== null) {
      deps.funds.sufficed();
      return sending.hash;
    }
    const burns = address === null && (await runsOutOfGas(deps.chain, split, payee, amount));
    if (sending.overGasMax || burns) {
      await deps.sql.rows(LEFT_TO_PAYEE, [deps.chain.chainId, split, token, payee]);
      deps.log.warn(
        { split, symbol: token, payee, gasMax: Number(RELEASE_GAS_MAX) },
        'payee must release its own share',
      );
      return null;
    }
    reason = sending.revertReason;
  } catch (error) {
    if (error instanceof Refusal) throw error;
    if (deps.funds.ranOut(error, sender.address)) return null;
    reason = reasonOf(error);
  }
  deps.backoff.failed(keyOf(due, payee));
  deps.log.warn({ split, symbol: token, payee, reason }, 'payee could not be paid');
  return null;
}

/** Returns whether the release paid the payee. */
async function awaitRelease(deps: ReleaseDeps, sender: Sender, place: Place, payee: Wallet): Promise<boolean> {
  const what = keyOf(place, payee);
  const { hash, sentAt } = deps.inFlight.get(what)!;
  const receipt = await sender.waitForReceipt(hash, WAIT_MS);
  if (receipt === null && performance.now() - sentAt < LOST_MS) return false;
  deps.inFlight.delete(what);
  if (receipt?.status === 'success' && hasReleased(place.split, receipt.logs)) {
    deps.backoff.succeeded(what);
    return true;
  }
  deps.backoff.failed(what);
  if (receipt?.status === 'success') {
    const { split, token } = place;
    deps.log.error(
      { alert: 'release_without_effect', split, symbol: token, payee, transactionHash: hash },
      'release mined without effect',
    );
    await forgetMissing(deps, [split]);
  }
  return false;
}
