import { query } from '../../../base/platform/postgres/query.ts';

/** Deletes the codes to register a merchant that expired before a time, epoch ms. They are few. */
export const DELETE_INVITES = query('merchant-invites-delete', (db, $: { before: number }) =>
  db.deleteFrom('MerchantInvite').where('expiresAt', '<', $.before).returning('id'),
);
