import type { Hash } from 'viem';
import type { TransactionCall } from '../chain/create2.ts';
import type { Sender } from '../chain/sender.ts';
import { readReleasable, releaseTransaction } from '../chain/splitter.ts';
import { Refusal } from '../core/errors.ts';
import type { Recipient } from '../core/shares.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';
import type { Backoff } from './backoff.ts';
import { reasonOf } from './reason.ts';

/** Releases that were sent and are in no block yet, by payee: sent twice, the second would only cost gas. */
export type InFlight = Map<
  string,
  { readonly hash: Hash /** Milliseconds of the monotonic clock. */; readonly sentAt: number }
>;

type ReleaseDeps = Pick<Deps, 'sql' | 'chain' | 'log'> & {
  readonly backoff: Backoff;
  readonly inFlight: InFlight;
};

/** A split with payees that wait for their shares of a token. */
interface Batch {
  readonly split: Wallet;
  readonly token: string;
  readonly payees: readonly Recipient[];
}

const AT_ONCE = 50;

const BATCHES = statement(
  'payments-release-batches',
  `select o.split, o.token, s.recipients as payees
     from (select distinct split, token from settlement_shares
            where chain_id = $1 and settled_at is null and owed is not null
              and not (split || '/' || token = any($2)) and not (split || '/' || token || '/' || payee = any($3))) o
     join splits s on s.chain_id = $1 and s.address = o.split and s.deployed and s.verified
    limit ${AT_ONCE}`,
);

const SENT = statement(
  'payments-released-by',
  `update settlement_shares set transaction_hash = $5
    where chain_id = $1 and split = $2 and token = $3 and payee = $4 and settled_at is null and owed is not null and transaction_hash is null`,
);

/** A release that is in no block after so long is looked for in a later round; a server that is told to end does not wait longer either. */
const WAIT_MS = 5_000;
/** What is in no block after so long is sent anew. */
const LOST_MS = 10 * 60 * 1000;

/**
 * Releases to every payee of every split what it is due, each on its own: one release passes on whatever has gathered since the last. A payee that cannot
 * be paid is tried again later and holds up nobody else; that nothing is due any more is success, somebody else was first.
 */
export async function releaseShares(deps: ReleaseDeps, sender: Sender): Promise<void> {
  const batches = await deps.sql.rows<Batch>(BATCHES, [
    deps.chain.chainId,
    deps.backoff.resting('batch:'),
    deps.backoff.resting('payee:'),
  ]);
  await Promise.all(batches.map((batch) => releaseBatch(deps, sender, batch)));
}

async function releaseBatch(deps: ReleaseDeps, sender: Sender, { split, token, payees }: Batch): Promise<void> {
  const known = deps.chain.tokens.find(({ symbol }) => symbol === token);
  if (!known) return;
  const batch = `batch:${split}/${token}`;
  try {
    const due = await readReleasable(deps.chain, split, known.address, payees);
    const landings: Promise<void>[] = [];
    for (const { address: payee } of payees) {
      const what = `payee:${split}/${token}/${payee}`;
      if ((due.get(payee) ?? 0n) <= 0n || !deps.backoff.mayTry(what)) continue;
      if (!deps.inFlight.has(what)) {
        const hash = await releaseTo(deps, sender, what, releaseTransaction(split, known.address, payee));
        if (hash === null) continue;
        await deps.sql.rows(SENT, [deps.chain.chainId, split, token, payee, hash]);
      }
      landings.push(awaitLanding(deps, sender, what));
    }
    await Promise.all(landings);
    deps.backoff.succeeded(batch);
  } catch (error) {
    deps.backoff.failed(batch);
    deps.log.warn({ split, symbol: token, reason: reasonOf(error) }, 'shares could not be released');
  }
}

/** Null where the payee cannot be paid now. */
async function releaseTo(deps: ReleaseDeps, sender: Sender, what: string, call: TransactionCall): Promise<Hash | null> {
  let reason: string | null;
  try {
    const { hash, revertReason } = await sender.send(call);
    if (hash !== null) {
      deps.inFlight.set(what, { hash, sentAt: performance.now() });
      return hash;
    }
    reason = revertReason;
  } catch (error) {
    if (error instanceof Refusal) throw error;
    reason = reasonOf(error);
  }
  deps.backoff.failed(what);
  deps.log.warn({ what, reason }, 'a payee could not be paid');
  return null;
}

async function awaitLanding(deps: ReleaseDeps, sender: Sender, what: string): Promise<void> {
  const { hash, sentAt } = deps.inFlight.get(what)!;
  const status = await sender.waitFor(hash, WAIT_MS);
  if (status === 'pending' && performance.now() - sentAt < LOST_MS) return;
  deps.inFlight.delete(what);
  if (status === 'success') deps.backoff.succeeded(what);
  else deps.backoff.failed(what);
}
