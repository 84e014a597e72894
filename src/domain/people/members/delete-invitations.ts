import { query } from '../../../base/platform/postgres/query.ts';

/** Deletes the invitations that expired before a time, epoch ms. They are few: a merchant has at most 100 open ones. */
export const DELETE_INVITATIONS = query('invitations-delete', (db, $: { before: number }) =>
  db.deleteFrom('Invitation').where('expiresAt', '<', $.before).returning('id'),
);
