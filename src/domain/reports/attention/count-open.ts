import type { Wallet } from '../../../base/core/wallet.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { Notice } from '../../webhooks/mail/kinds.ts';
import { readAttention } from './read-attention.ts';

const OPEN = query(
  'attention-of-notices',
  (db, $: { merchant: Wallet }) =>
    db.selectNoFrom((eb) => [
      eb
        .selectFrom('Refund')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .where('merchant', '=', $.merchant)
        .where('state', '=', 'requested')
        .$asScalar()
        .$notNull()
        .as('openRefunds'),
      eb
        .selectFrom('WebhookEndpoint')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .where('merchant', '=', $.merchant)
        .where('disabledReason', '=', 'failing')
        .$asScalar()
        .$notNull()
        .as('disabledEndpoints'),
    ]),
  { computed: { openRefunds: 'int8', disabledEndpoints: 'int8' } },
);

/** How much of what a notice tells of is open now. */
export async function countOpen(
  deps: Parameters<typeof readAttention>[0],
  merchant: Wallet,
  notice: Notice,
): Promise<number> {
  if (notice === 'refund_requested' || notice === 'endpoint_disabled') {
    const [open] = await deps.db.run(OPEN, { merchant });
    return notice === 'refund_requested' ? open!.openRefunds : open!.disabledEndpoints;
  }
  const { unmatchedTransfers, pastDueSubscriptions, lowStock } = await readAttention(deps, merchant);
  return { unmatched: unmatchedTransfers, past_due: pastDueSubscriptions, low_stock: lowStock }[notice];
}
