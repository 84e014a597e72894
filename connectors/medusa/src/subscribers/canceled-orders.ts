import type { SubscriberArgs } from '@medusajs/framework';
import { ContainerRegistrationKeys } from '@medusajs/framework/utils';
import { refundPaymentWorkflow } from '@medusajs/medusa/core-flows';
import { openConnect, type SessionData } from '../payments.ts';

interface Found {
  readonly status: string;
  readonly payment_collections?: readonly {
    readonly payment_sessions?: readonly {
      readonly provider_id: string;
      readonly data: SessionData;
      readonly payment?: { readonly id: string; readonly captured_at?: unknown; readonly refunds?: readonly object[] };
    }[];
  }[];
}

/**
 * A cancelled order takes no money: its payment is voided. Money that was on its way is booked when it comes, and its
 * refund is asked for at once.
 */
export default async function closeCanceled({ event, container }: SubscriberArgs<{ id: string }>): Promise<void> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY);
  const filters =
    event.name === 'order.canceled'
      ? { id: event.data.id }
      : { payment_collections: { payments: { id: event.data.id } } };
  const { data } = await query.graph({
    entity: 'order',
    fields: [
      'status',
      'payment_collections.payment_sessions.*',
      'payment_collections.payment_sessions.payment.*',
      'payment_collections.payment_sessions.payment.refunds.id',
    ],
    filters,
  });
  const connect = openConnect();
  for (const order of data as unknown as Found[]) {
    if (order.status !== 'canceled') continue;
    for (const { payment_sessions = [] } of order.payment_collections ?? [])
      for (const { provider_id, data: session, payment } of payment_sessions) {
        if (provider_id !== 'pp_quittance_quittance') continue;
        if (!payment) await connect.cancel(session.receipt_id, 'The order was cancelled');
        else if (payment.captured_at && !payment.refunds?.length)
          await refundPaymentWorkflow(container).run({ input: { payment_id: payment.id } });
      }
  }
}

export const config = { event: ['order.canceled', 'payment.captured'] };
