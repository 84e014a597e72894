import { sql } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { COLLECTIBLE } from './lifecycle.ts';

/** The permissions of one charging contract that are still charged. */
export interface PermissionsOf {
  readonly spender: Wallet;
  readonly permissions: number;
}

const SPENDERS = query(
  'permission-spenders',
  (db, _: object) =>
    db
      .selectFrom('Subscription')
      .select(({ ref }) => sql<Wallet>`${ref('permission')} ->> 'spender'`.as('spender'))
      .select((eb) => eb.fn.countAll<number>().as('permissions'))
      .where(
        'status',
        'in',
        COLLECTIBLE.map((status) => sql.lit(status)),
      )
      .groupBy('spender'),
  { computed: { spender: 'text', permissions: 'int8' }, slow: true },
);

/**
 * Counts the permissions that are still charged, by the contract that they name. The contract follows from the key of
 * the spender: another key cannot charge them.
 */
export const countPermissionSpenders = (db: Db): Promise<readonly PermissionsOf[]> => db.run(SPENDERS, {});
