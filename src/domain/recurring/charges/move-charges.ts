import { type Kysely, sql } from 'kysely';
import type { Database } from '../../../base/platform/postgres/database.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';
import { type ColumnTypes, type RowList, rowList, rowsIn } from '../../../base/platform/postgres/row-list.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import type { FailureCode } from '../../sales/receipts/failures.ts';
import type { BillingEvent, Charge } from './charge.entity.ts';
import { CHARGE } from './lifecycle.ts';

/*
 * The functions of this file are the only ones that write charges and their billing events. A charge whose status does
 * not allow the move stays unchanged. Lock its subscription first.
 */

const SENT = {
  merchant: 'text',
  id: 'text',
  subscriptionId: 'text',
  periodStart: 'bigint',
  periodEnd: 'bigint',
  split: 'text',
  token: 'text',
  amount: 'numeric',
  amountCents: 'bigint',
  feeCents: 'bigint',
  receiptId: 'text',
  nonce: 'bigint',
  transactionHash: 'text',
} as const satisfies Partial<ColumnTypes<Charge>>;
const SENT_COLUMNS = Object.keys(SENT) as (keyof typeof SENT)[];

/** A charge whose transaction is stored. */
export type SentCharge = Readonly<Pick<Charge, keyof typeof SENT>>;

const SEND = query('charges-sent', (db, $: { charges: RowList<SentCharge>; now: number }) => {
  const given = rowsIn($.charges, 'given', SENT);
  return db
    .insertInto('Charge')
    .columns([...SENT_COLUMNS, 'status', 'attempt', 'createdAt', 'updatedAt'])
    .expression((eb) =>
      eb
        .selectFrom(given.table)
        .select(given.select(SENT_COLUMNS))
        .select([sql.lit('sent').as('status'), sql.lit(1).as('attempt')])
        .select([sql`${$.now}::bigint`.as('created'), sql`${$.now}::bigint`.as('updated')]),
    )
    .onConflict((again) =>
      again
        .columns(['merchant', 'id'])
        .doUpdateSet((eb) => ({
          status: 'sent',
          attempt: eb('Charge.attempt', '+', 1),
          nonce: eb.ref('excluded.nonce'),
          split: eb.ref('excluded.split'),
          transactionHash: eb.ref('excluded.transactionHash'),
          failure: null,
          blockTimeMs: null,
          updatedAt: eb.ref('excluded.updatedAt'),
        }))
        .where('Charge.status', 'in', CHARGE.before('sent')),
    );
});

/** Adds new charges, and moves failed ones with the same ids to `sent` for another attempt. */
export async function sendCharges(uow: UnitOfWork, charges: readonly SentCharge[], now: number): Promise<void> {
  await uow.run(SEND, { charges: rowList(charges), now });
}

/** The outcome of a charge's transaction. */
export interface ChargeOutcome {
  readonly chargeId: string;
  /** Only the charge's latest transaction counts. */
  readonly nonce: number;
  /** The hash that is in a block; null if there is none. */
  readonly minedHash: `0x${string}` | null;
  /** The time of the block, epoch ms. */
  readonly atMs: number;
  readonly failure: FailureCode | null;
  /** Whether another payment of the receipt has settled it, and not its own transaction. */
  readonly isByPayment?: boolean;
}

const OUTCOME: ColumnTypes<ChargeOutcome> = {
  chargeId: 'text',
  nonce: 'bigint',
  minedHash: 'text',
  atMs: 'bigint',
  failure: 'text',
  isByPayment: 'boolean',
};

/** The columns of a billing event, in the order in which the charge fills them in. */
const BILLED = [
  'merchant',
  'chargeId',
  'subscriptionId',
  'amountCents',
  'feeCents',
  'transactionHash',
  'at',
] as const satisfies readonly (keyof BillingEvent)[];

interface Outcomes {
  outcomes: RowList<ChargeOutcome>;
  now: number;
}

/** Moves the charges of the outcomes in the table `moved`. */
function moved(db: Kysely<Database>, $: Outcomes, to: 'succeeded' | 'failed') {
  const given = rowsIn($.outcomes, 'given', OUTCOME);
  return db.with('moved', (moving) =>
    moving
      .updateTable('Charge')
      .from(['Charge as before', given.table])
      .set((charge) => ({
        status: to,
        transactionHash: charge
          .case()
          .when(given.columns.isByPayment)
          .then(given.columns.minedHash)
          .else(charge.fn.coalesce(given.columns.minedHash, 'Charge.transactionHash'))
          .end(),
        blockTimeMs: given.columns.atMs,
        failure: given.columns.failure,
        settledByPayment: sql<boolean>`coalesce(${given.columns.isByPayment}, false)`,
        updatedAt: $.now,
      }))
      .where('Charge.id', '=', given.columns.chargeId)
      .where('Charge.nonce', '=', given.columns.nonce)
      .where('Charge.status', 'in', CHARGE.before(to))
      .where('Charge.settledByPayment', '=', false)
      .whereRef('before.merchant', '=', 'Charge.merchant')
      .whereRef('before.id', '=', 'Charge.id')
      .returning([
        'Charge.merchant',
        'Charge.id as chargeId',
        'Charge.subscriptionId',
        'Charge.receiptId',
        'Charge.amountCents',
        'Charge.feeCents',
        'Charge.transactionHash',
        'Charge.periodStart',
        'Charge.periodEnd',
        'before.status as previousStatus',
        given.columns.atMs.as('at'),
      ]),
  );
}

const MOVED = [...BILLED, 'receiptId', 'periodStart', 'periodEnd', 'previousStatus'] as const;
const computed = { at: 'int8' } as const;

const OUTCOMES = {
  succeeded: query(
    'charges-succeeded',
    (db, $: Outcomes) =>
      moved(db, $, 'succeeded')
        .with('billed', (billing) =>
          billing
            .insertInto('BillingEvent')
            .columns(BILLED)
            .expression((eb) => eb.selectFrom('moved').select(BILLED))
            .onConflict((known) => known.doNothing()),
        )
        .selectFrom('moved')
        .select(MOVED),
    { computed },
  ),
  failed: query(
    'charges-failed',
    (db, $: Outcomes) =>
      moved(db, $, 'failed')
        .with('unbilled', (billing) =>
          billing
            .deleteFrom('BillingEvent')
            .where(({ eb, refTuple, selectFrom }) =>
              eb(
                refTuple('merchant', 'chargeId'),
                'in',
                selectFrom('moved').select(['moved.merchant', 'moved.chargeId']).$asTuple('merchant', 'chargeId'),
              ),
            ),
        )
        .selectFrom('moved')
        .select(MOVED),
    { computed },
  ),
};

/** A charge that has moved. */
export type MovedCharge = Readonly<RowOf<(typeof OUTCOMES)['failed']>>;

/**
 * Moves charges to the outcomes of their transactions. A charge that has succeeded has a billing event, and no other.
 *
 * @returns the charges that have moved
 */
export async function moveCharges(
  uow: UnitOfWork,
  to: keyof typeof OUTCOMES,
  outcomes: readonly ChargeOutcome[],
  now: number,
): Promise<MovedCharge[]> {
  return outcomes.length === 0 ? [] : uow.run(OUTCOMES[to], { outcomes: rowList(outcomes), now });
}
