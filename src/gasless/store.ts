import type { Hash, Hex } from 'viem';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { query } from '../platform/query.ts';
import type { Sql } from '../platform/sql.ts';
import type { UnitOfWork } from '../platform/unit-of-work.ts';
import { AUTHORIZATION_FIELDS, type AuthorizationRow } from './authorization.entity.ts';
import { AUTHORIZATION, OPEN } from './lifecycle.ts';

/** What identifies an authorization: the token refuses the same nonce of an owner twice. */
export type AuthorizationKey = Pick<AuthorizationRow, 'chainId' | 'token' | 'payer' | 'nonce'>;

/** The subject of the transaction that carries out an authorization. */
export const subjectOf = ({ token, payer, nonce }: AuthorizationKey): string => `${token}/${payer}/${nonce}`;

/** Parses the subject of a transaction. */
function keyOf(chainId: number, subjectId: string): AuthorizationKey {
  const [token, payer, nonce] = subjectId.split('/') as [string, Wallet, Hex];
  return { chainId, token, payer, nonce };
}

const FIND = query('gasless-authorization', (db, $: AuthorizationKey) =>
  db
    .selectFrom('PaymentAuthorization')
    .select(AUTHORIZATION_FIELDS)
    .where('chainId', '=', $.chainId)
    .where('token', '=', $.token)
    .where('payer', '=', $.payer)
    .where('nonce', '=', $.nonce),
);

/** A stored authorization; null if there is none. */
export async function findAuthorization(
  { run }: Pick<Sql, 'run'>,
  { chainId, token, payer, nonce }: AuthorizationKey,
): Promise<AuthorizationRow | null> {
  const [row] = await run(FIND, { chainId, token, payer, nonce });
  return row ?? null;
}

interface ReceiptKey {
  readonly merchant: Wallet;
  readonly receiptId: string;
}

/**
 * An authorization whose transaction failed a moment ago may have been carried out by someone else: the watcher needs
 * this long to find the transfer, and a second payment would be too much.
 */
const FAILED_LATELY_MS = 120_000;

const OF_RECEIPT = query(
  'gasless-authorizations-of-receipt',
  (db, $: ReceiptKey & { readonly failedSince: number }) =>
    db
      .selectFrom('PaymentAuthorization')
      .select(({ fn }) => [
        fn.countAll<number>().as('attempts'),
        fn
          .countAll<number>()
          .filterWhere(({ and, eb, or }) =>
            or([eb('state', 'in', OPEN), and([eb('state', '=', 'failed'), eb('updatedAt', '>', $.failedSince)])]),
          )
          .as('open'),
      ])
      .where('merchant', '=', $.merchant)
      .where('receiptId', '=', $.receiptId),
  { computed: { attempts: 'int8', open: 'int8' } },
);

/** How many authorizations a receipt has had, and whether one of them may still pay it. */
export async function readAttempts(
  reader: Pick<Sql, 'run'>,
  { merchant, receiptId }: ReceiptKey,
  nowMs: number,
): Promise<{ readonly attempts: number; readonly isOpen: boolean }> {
  const failedSince = nowMs - FAILED_LATELY_MS;
  const [counted] = await reader.run(OF_RECEIPT, { merchant, receiptId, failedSince });
  return { attempts: Number(counted!.attempts), isOpen: Number(counted!.open) > 0 };
}

/** Stores an authorization. Returns false if the owner's nonce is bound already. */
export async function bindAuthorization({ db }: UnitOfWork, row: AuthorizationRow): Promise<boolean> {
  const bound = await db
    .insertInto('PaymentAuthorization')
    .values({ ...row })
    .onConflict((conflict) => conflict.columns(['chainId', 'token', 'payer', 'nonce']).doNothing())
    .returning('nonce')
    .executeTakeFirst();
  return bound !== undefined;
}

type Moved = AuthorizationKey & { readonly transactionHash: Hash; readonly now: number };

const MINED = query('gasless-mined', (db, $: Moved) =>
  db
    .updateTable('PaymentAuthorization')
    .set({ state: 'mined', transactionHash: $.transactionHash, updatedAt: $.now })
    .where('chainId', '=', $.chainId)
    .where('token', '=', $.token)
    .where('payer', '=', $.payer)
    .where('nonce', '=', $.nonce)
    .where('state', 'in', AUTHORIZATION.before('mined')),
);

const FAILED = query('gasless-failed', (db, $: AuthorizationKey & { now: number }) =>
  db
    .updateTable('PaymentAuthorization')
    .set({ state: 'failed', updatedAt: $.now })
    .where('chainId', '=', $.chainId)
    .where('token', '=', $.token)
    .where('payer', '=', $.payer)
    .where('nonce', '=', $.nonce)
    .where('state', 'in', AUTHORIZATION.before('failed')),
);

const CREDITED = query('gasless-credited', (db, $: Moved) =>
  db
    .updateTable('PaymentAuthorization')
    .set({ state: 'credited', transactionHash: $.transactionHash, updatedAt: $.now })
    .where('chainId', '=', $.chainId)
    .where('token', '=', $.token)
    .where('payer', '=', $.payer)
    .where('nonce', '=', $.nonce)
    .where('state', 'in', AUTHORIZATION.before('credited')),
);

/** Records the outcome of our transaction; `minedHash` is null if it did not carry the authorization out. */
export async function recordOutcome(
  { chain: { chainId }, clock }: Pick<Deps, 'chain' | 'clock'>,
  uow: UnitOfWork,
  subjectId: string,
  minedHash: Hash | null,
): Promise<void> {
  const key = { ...keyOf(chainId, subjectId), now: clock() };
  if (minedHash === null) await uow.run(FAILED, key);
  else await uow.run(MINED, { ...key, transactionHash: minedHash });
}

/** Records that a transfer which carried out an authorization counts for its receipt. */
export async function creditAuthorization(
  { clock }: Pick<Deps, 'clock'>,
  uow: UnitOfWork,
  { chainId, token, payer, nonce }: AuthorizationKey,
  transactionHash: Hash,
): Promise<void> {
  await uow.run(CREDITED, { chainId, token, payer, nonce, transactionHash, now: clock() });
}
