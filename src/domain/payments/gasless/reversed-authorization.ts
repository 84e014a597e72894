import { sql } from 'kysely';
import type { Chain } from '../../../base/chain/client.ts';
import type { Clock } from '../../../base/core/clock.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { type AuthorizationState, OPEN } from './lifecycle.ts';
import { keyOf } from './store.ts';

/** A transfer that has lost its block, and the receipt that it had paid. */
interface Reversed {
  readonly chainId: number;
  /** Symbol. */
  readonly token: string;
  readonly sender: Wallet;
  readonly payTo: Wallet;
  /** Base units. */
  readonly amount: string;
  readonly transactionHash: `0x${string}`;
  readonly merchant: Wallet;
  readonly receiptId: string;
}

/**
 * A transaction of ours is sent again, so the authorization is `mined` again. If someone else had carried it out, ours
 * has failed or is still followed. A receipt has one open authorization at a time.
 */
const REVERSE = query('gasless-reverse', (db, $: Reversed & { now: number }) =>
  db
    .updateTable('PaymentAuthorization')
    .set(({ and, exists, not, selectFrom, case: when }) => ({
      updatedAt: $.now,
      state: when()
        .when(
          and([
            exists(
              selectFrom('SpenderBroadcast as b')
                .select('b.hash')
                .where('b.chainId', '=', $.chainId)
                .where('b.hash', '=', $.transactionHash),
            ),
            not(
              exists(
                selectFrom('PaymentAuthorization as o')
                  .select('o.nonce')
                  .where('o.merchant', '=', $.merchant)
                  .where('o.receiptId', '=', $.receiptId)
                  .where('o.state', 'in', OPEN),
              ),
            ),
          ]),
        )
        .then(sql.lit<AuthorizationState>('mined'))
        .else(sql.lit<AuthorizationState>('failed'))
        .end(),
    }))
    .where('chainId', '=', $.chainId)
    .where('token', '=', $.token)
    .where('payer', '=', $.sender)
    .where('payTo', '=', $.payTo)
    .where('amount', '=', $.amount)
    .where('transactionHash', '=', $.transactionHash)
    .where('merchant', '=', $.merchant)
    .where('receiptId', '=', $.receiptId)
    .where('state', '=', 'credited'),
);

/** Records that the transfer of a credited authorization was taken back: it may still be carried out. */
export async function reverseAuthorization(
  clock: Clock,
  uow: UnitOfWork,
  { chainId, token, sender, payTo, amount, transactionHash, merchant, receiptId }: Reversed,
): Promise<void> {
  const transfer = { chainId, token, sender, payTo, amount, transactionHash, merchant, receiptId };
  await uow.run(REVERSE, { ...transfer, now: clock() });
}

const CREDITED_BY_US = query(
  'gasless-credited-by-us',
  (db, $: { chainId: number; token: string; payer: Wallet; nonce: `0x${string}` }) =>
    db
      .selectFrom('PaymentAuthorization as a')
      .innerJoin('SpenderBroadcast as b', (join) =>
        join.onRef('b.chainId', '=', 'a.chainId').onRef('b.hash', '=', 'a.transactionHash'),
      )
      .innerJoin('Receipt as r', (join) =>
        join.onRef('r.merchant', '=', 'a.merchant').onRef('r.id', '=', 'a.receiptId'),
      )
      .select('a.nonce')
      .where('a.chainId', '=', $.chainId)
      .where('a.token', '=', $.token)
      .where('a.payer', '=', $.payer)
      .where('a.nonce', '=', $.nonce)
      .where('a.state', '=', 'credited')
      .where('r.status', 'in', ['tx_mined', 'tx_mismatch']),
);

/**
 * Of authorizations whose transactions have failed after all, those that the watcher has not taken back yet, and will.
 */
export async function notTakenBack(
  { chainId }: Chain,
  uow: UnitOfWork,
  subjectIds: readonly string[],
): Promise<string[]> {
  const left: string[] = [];
  for (const subjectId of subjectIds)
    if ((await uow.run(CREDITED_BY_US, keyOf(chainId, subjectId))).length > 0) left.push(subjectId);
  return left;
}
