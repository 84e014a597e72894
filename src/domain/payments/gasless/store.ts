import { type ExpressionBuilder, sql } from 'kysely';
import type { Hash, Hex } from 'viem';
import type { Clock } from '../../../base/core/clock.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import type { Database } from '../../../base/platform/postgres/database.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { AUTHORIZATION_FIELDS, type AuthorizationRow } from './authorization.entity.ts';
import { AUTHORIZATION, type AuthorizationState, OPEN } from './lifecycle.ts';

/** What identifies an authorization: the token refuses the same nonce of an owner twice. */
export type AuthorizationKey = Pick<AuthorizationRow, 'chainId' | 'token' | 'payer' | 'nonce'>;

/** The subject of the transaction that carries out an authorization. */
export const subjectOf = ({ token, payer, nonce }: AuthorizationKey): string => `${token}/${payer}/${nonce}`;

/** Parses the subject of a transaction. */
export function keyOf(chainId: number, subjectId: string): AuthorizationKey {
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
  { run }: Pick<Db, 'run'>,
  { chainId, token, payer, nonce }: AuthorizationKey,
): Promise<AuthorizationRow | null> {
  const [row] = await run(FIND, { chainId, token, payer, nonce });
  return row ?? null;
}

interface ReceiptKey {
  readonly merchant: Wallet;
  readonly receiptId: string;
}

const ATTEMPTS = query(
  'gasless-attempts',
  (db, $: ReceiptKey) =>
    db
      .selectFrom('PaymentAuthorization')
      .select(({ fn }) => fn.countAll<number>().as('attempts'))
      .where('merchant', '=', $.merchant)
      .where('receiptId', '=', $.receiptId),
  { computed: { attempts: 'int8' } },
);

/** How many authorizations a receipt has had. */
export async function countAttempts({ run }: Pick<Db, 'run'>, { merchant, receiptId }: ReceiptKey): Promise<number> {
  const [counted] = await run(ATTEMPTS, { merchant, receiptId });
  return Number(counted!.attempts);
}

/**
 * Stores an authorization, in place of a failed one of the same receipt with the same nonce. Returns false if the
 * owner's nonce is bound already.
 */
export async function bindAuthorization({ db }: UnitOfWork, row: AuthorizationRow): Promise<boolean> {
  const bound = await db
    .insertInto('PaymentAuthorization')
    .values({ ...row })
    .onConflict((conflict) =>
      conflict
        .columns(['chainId', 'token', 'payer', 'nonce'])
        .doUpdateSet(({ ref }) => ({
          payTo: ref('excluded.payTo'),
          amount: ref('excluded.amount'),
          validBefore: ref('excluded.validBefore'),
          state: ref('excluded.state'),
          transactionHash: ref('excluded.transactionHash'),
          updatedAt: ref('excluded.updatedAt'),
        }))
        .whereRef('PaymentAuthorization.merchant', '=', 'excluded.merchant')
        .whereRef('PaymentAuthorization.receiptId', '=', 'excluded.receiptId')
        .where('PaymentAuthorization.state', 'in', AUTHORIZATION.before('sent')),
    )
    .returning('nonce')
    .executeTakeFirst();
  return bound !== undefined;
}

/** What our transaction does to an authorization. It never takes a credit back: only the transfer's block does. */
const uncredited = (states: readonly AuthorizationState[]) => states.filter((state) => state !== 'credited');

type Moved = AuthorizationKey & { readonly transactionHash: Hash; readonly now: number };

/** Whether no other authorization of its receipt is open: a receipt has one at a time. */
const isAlone = ({ not, exists, selectFrom, ref }: ExpressionBuilder<Database, 'PaymentAuthorization'>) =>
  not(
    exists(
      selectFrom('PaymentAuthorization as o')
        .select('o.nonce')
        .where('o.merchant', '=', ref('PaymentAuthorization.merchant'))
        .where('o.receiptId', '=', ref('PaymentAuthorization.receiptId'))
        .where('o.state', 'in', OPEN)
        .where(
          sql<boolean>`(o.chain_id, o.token, o.payer, o.nonce) <> (${ref('PaymentAuthorization.chainId')},
            ${ref('PaymentAuthorization.token')}, ${ref('PaymentAuthorization.payer')}, ${ref('PaymentAuthorization.nonce')})`,
        ),
    ),
  );

const MINED = query('gasless-mined', (db, $: Moved) =>
  db
    .updateTable('PaymentAuthorization')
    .set({ state: 'mined', transactionHash: $.transactionHash, updatedAt: $.now })
    .where('chainId', '=', $.chainId)
    .where('token', '=', $.token)
    .where('payer', '=', $.payer)
    .where('nonce', '=', $.nonce)
    .where('state', 'in', uncredited(AUTHORIZATION.before('mined')))
    .where(isAlone),
);

const FAILED = query('gasless-failed', (db, $: AuthorizationKey & { now: number }) =>
  db
    .updateTable('PaymentAuthorization')
    .set({ state: 'failed', updatedAt: $.now })
    .where('chainId', '=', $.chainId)
    .where('token', '=', $.token)
    .where('payer', '=', $.payer)
    .where('nonce', '=', $.nonce)
    .where('state', 'in', uncredited(AUTHORIZATION.before('failed'))),
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
  clock: Clock,
  uow: UnitOfWork,
  { chainId, token, payer, nonce }: AuthorizationKey,
  transactionHash: Hash,
): Promise<void> {
  await uow.run(CREDITED, { chainId, token, payer, nonce, transactionHash, now: clock() });
}
