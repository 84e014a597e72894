import { sql } from 'kysely';
import type { Hash } from 'viem';
import { reach } from '../../../base/chain/client.ts';
import { hasReleased } from '../../../base/chain/splitter.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Outcome, OutcomeHandlers } from '../../../base/onchain/spender/record-outcomes.ts';
import type { Stored } from '../../../base/onchain/spender/send-transactions.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { gaslessOutcomes } from '../../payments/gasless/outcomes.ts';
import { forgetMissing } from '../../shop/splits/deployed.ts';
import { announceAfterCommit, announceShares, CHANGED } from './compute-owed.ts';
import type { SendDeps } from './deps.ts';
import type { Place } from './place-walk.ts';

/** A payee of a split in a token: what one release pays. */
export interface Payee extends Place {
  readonly payee: Wallet;
}

/** The subject of a release among the transactions of the lane: `split/token/payee`. */
export const releaseSubject = ({ split, token, payee }: Payee): string => `${split}/${token}/${payee}`;

/** The payee that a subject names. */
function parseReleaseSubject(subjectId: string): Payee {
  const [split, token, payee] = subjectId.split('/') as [Wallet, string, Wallet];
  return { split, token, payee };
}

interface Sent extends Place {
  chainId: number;
  payees: readonly Wallet[];
  hashes: readonly Hash[];
}

const SENT = query('settlement-sent', (db, $: Sent) =>
  db
    .updateTable('SettlementShare')
    .from(
      sql<{ payee: Wallet; hash: Hash }>`unnest(${$.payees}::text[], ${$.hashes}::text[])`.as<'r'>(sql`r(payee, hash)`),
    )
    .set((eb) => ({ transactionHash: eb.ref('r.hash'), ...CHANGED }))
    .where('SettlementShare.chainId', '=', $.chainId)
    .where('SettlementShare.split', '=', $.split)
    .where('SettlementShare.token', '=', $.token)
    .whereRef('SettlementShare.payee', '=', 'r.payee')
    .where('SettlementShare.settledAt', 'is', null)
    .where('SettlementShare.owed', 'is not', null)
    .where('SettlementShare.transactionHash', 'is', null)
    .returning('SettlementShare.merchant'),
);

/** Records the release of each open share, in the transaction that stores the release. */
export async function recordSent(
  deps: Pick<SendDeps, 'chain' | 'bus'>,
  uow: UnitOfWork,
  { split, token }: Place,
  sent: readonly Stored[],
): Promise<void> {
  const changed = await uow.run(SENT, {
    ...{ chainId: deps.chain.chainId, split, token },
    payees: sent.map(({ want }) => parseReleaseSubject(want.subjectId).payee),
    hashes: sent.map(({ transaction }) => transaction.hash),
  });
  announceAfterCommit(deps.bus, uow, changed);
}

interface Landed {
  chainId: number;
  sender: Wallet;
  splits: readonly Wallet[];
  tokens: readonly string[];
  payees: readonly Wallet[];
  nonces: readonly number[];
  hashes: readonly (Hash | null)[];
}

/** Sets the hash of the form that is in a block; none if the release has failed, so that the shares wait again. */
const LANDED = query('settlement-landed', (db, $: Landed) =>
  db
    .updateTable('SettlementShare')
    .from(
      sql<Payee & { nonce: number; hash: Hash | null }>`unnest(${$.splits}::text[], ${$.tokens}::text[],
        ${$.payees}::text[], ${$.nonces}::bigint[], ${$.hashes}::text[])`.as<'r'>(
        sql`r(split, token, payee, nonce, hash)`,
      ),
    )
    .set((eb) => ({ transactionHash: eb.ref('r.hash'), ...CHANGED }))
    .where('SettlementShare.chainId', '=', $.chainId)
    .whereRef('SettlementShare.split', '=', 'r.split')
    .whereRef('SettlementShare.token', '=', 'r.token')
    .whereRef('SettlementShare.payee', '=', 'r.payee')
    .where('SettlementShare.settledAt', 'is', null)
    .where((eb) =>
      eb(
        'SettlementShare.transactionHash',
        'in',
        eb
          .selectFrom('SpenderBroadcast as b')
          .select('b.hash')
          .where('b.chainId', '=', $.chainId)
          .where('b.sender', '=', $.sender)
          .whereRef('b.nonce', '=', 'r.nonce'),
      ),
    )
    .returning('SettlementShare.merchant'),
);

/** Records the outcomes of releases in the shares that they release, and those of the buyers' authorizations. */
export const settlementOutcomes = (deps: Pick<SendDeps, 'chain' | 'clock' | 'wallet' | 'bus'>): OutcomeHandlers => ({
  ...gaslessOutcomes(deps),
  release: {
    async record(uow, outcomes) {
      const payees = outcomes.map(({ subjectId }) => parseReleaseSubject(subjectId));
      const changed = await uow.run(LANDED, {
        chainId: deps.chain.chainId,
        sender: deps.wallet.sender,
        splits: payees.map(({ split }) => split),
        tokens: payees.map(({ token }) => token),
        payees: payees.map(({ payee }) => payee),
        nonces: outcomes.map(({ nonce }) => nonce),
        hashes: outcomes.map(({ outcome, minedHash }) => (outcome === 'success' ? minedHash : null)),
      });
      announceAfterCommit(deps.bus, uow, changed);
    },
  },
});

/**
 * Lets later rounds know the outcomes that were recorded: failed transactions are retried with growing delays, and a
 * release is checked for its effect. Refuses with `chain_unavailable`.
 */
export async function noticeOutcomes(deps: SendDeps, outcomes: readonly Outcome[]): Promise<void> {
  for (const { purpose, subjectId, outcome, minedHash } of outcomes) {
    if (purpose === 'authorization') continue;
    const task = purpose === 'deploy_split' || purpose === 'deploy_factory' ? `deploy:${subjectId}` : subjectId;
    const payee = purpose === 'release' ? parseReleaseSubject(subjectId) : null;
    const works = outcome === 'success' && (payee === null || (await hasEffect(deps, payee, minedHash!)));
    if (works) deps.backoff.succeeded(task);
    else deps.backoff.failed(task);
    if (works && payee) deps.rests.changed(payee);
  }
}

/** Whether a mined release paid its payee: a call to an address without code succeeds and pays nothing. */
async function hasEffect(deps: SendDeps, { split, token, payee }: Payee, transactionHash: Hash): Promise<boolean> {
  const { logs } = await reach(deps.chain.client.getTransactionReceipt({ hash: transactionHash }));
  if (hasReleased(split, logs)) return true;
  deps.log.error(
    { alert: 'release_without_effect', split, symbol: token, payee, transactionHash },
    'release mined without effect',
  );
  const key = { chainId: deps.chain.chainId, split, token, payee, transactionHash };
  announceShares(deps.bus, await deps.db.run(WITHOUT_EFFECT, key));
  await forgetMissing(deps, [split]);
  return false;
}

/** The shares wait again. */
const WITHOUT_EFFECT = query('settlement-no-effect', (db, $: Payee & { chainId: number; transactionHash: Hash }) =>
  db
    .updateTable('SettlementShare')
    .set({ transactionHash: null, ...CHANGED })
    .where('chainId', '=', $.chainId)
    .where('split', '=', $.split)
    .where('token', '=', $.token)
    .where('payee', '=', $.payee)
    .where('transactionHash', '=', $.transactionHash)
    .where('settledAt', 'is', null)
    .returning('merchant'),
);
