import type { MedusaContainer } from '@medusajs/framework/types';
import { ContainerRegistrationKeys, Modules } from '@medusajs/framework/utils';
import { processPaymentWorkflow } from '@medusajs/medusa/core-flows';
import { decimalOf } from '../../../../src/client/connect/index.ts';
import { openConnect } from '../payments.ts';

const CURSOR = 'quittance_cursor';

/** Books what was paid while webhooks were lost. The cursor is stored with the shop, once all of it is processed. */
export default async function reconcile(container: MedusaContainer): Promise<void> {
  const stores = container.resolve(Modules.STORE);
  const sessions = container.resolve(Modules.PAYMENT);
  const logger = container.resolve(ContainerRegistrationKeys.LOGGER);
  const [store] = await stores.listStores({}, { take: 1 });
  if (!store) return;
  const { changes, cursor } = await openConnect().reconcile((store.metadata?.[CURSOR] as string | undefined) ?? null);
  for (const { order, cents, state } of changes) {
    if (state !== 'paid') continue;
    const [session] = await sessions.listPaymentSessions({ id: order });
    // A session of another installation, or a payment that is booked.
    if (!session || (await isBooked(container, session.payment_collection_id))) continue;
    const input = { action: 'captured', data: { session_id: order, amount: decimalOf(cents) } } as const;
    const { errors } = await processPaymentWorkflow(container).run({ input, throwOnError: false });
    if (errors.length > 0) throw errors[0]!.error;
    logger.info(`quittance: booked the payment of ${order}, whose webhook was lost`);
  }
  if (cursor === store.metadata?.[CURSOR]) return;
  const [fresh] = await stores.listStores({ id: store.id });
  await stores.updateStores(store.id, { metadata: { ...fresh?.metadata, [CURSOR]: cursor } });
}

/** Whether an order has the money. A shop that was killed can have captured a payment without that. */
async function isBooked(container: MedusaContainer, paymentCollectionId: string): Promise<boolean> {
  const { data } = await container.resolve(ContainerRegistrationKeys.QUERY).graph({
    entity: 'order_payment_collection',
    fields: ['order.transactions.reference'],
    filters: { payment_collection_id: paymentCollectionId },
  });
  const transactions = data.flatMap(({ order }): { reference?: string }[] => order?.transactions ?? []);
  return transactions.some(({ reference }) => reference === 'capture');
}

export const config = { name: 'quittance-reconcile', schedule: '* * * * *' };
