import type { TestMerchant } from '../../support/server.ts';
import { makePlan, subscribe, subscriptionBody } from '../../support/subscriber.ts';
import type { Shop } from '../shop.ts';
import { voidAsMerchant } from './inside.ts';

/** One record of each kind that has a page of its own, and the address of a page of them. */
export async function openRecords(shop: Shop, merchant: TestMerchant) {
  const { server } = shop;
  const headers = { ...(await server.signIn(merchant.account)), origin: server.url };
  const run = async (query: string) => {
    const { body } = await server.call('POST', '/api/graphql', { headers, body: { query } });
    if (body.errors) throw new Error(JSON.stringify(body.errors));
    return body.data;
  };
  const { receiptId } = await shop.order(merchant, {
    buyerEmail: 'ada@lovelace.dev',
    webhookUrl: 'http://127.0.0.1:9/hooks',
  });
  await voidAsMerchant(server, merchant, receiptId);
  const { createWebhookEndpoint } = await run(
    'mutation { createWebhookEndpoint(input: { url: "https://shop.test/hooks", kinds: ["*"], enabled: false }) { endpoint { id } } }',
  );
  const { webhookDeliveries } = await run('{ webhookDeliveries(first: 1) { nodes { id } } }');
  const { createPaymentLink } = await run(
    'mutation { createPaymentLink(input: { name: "Tips", content: { amount: 5 } }) { linkId } }',
  );
  const plan = await makePlan(server, merchant);
  const { subscription } = (await subscribe(server, merchant, await subscriptionBody(server, plan))).body;
  const endpointId: string = createWebhookEndpoint.endpoint.id;
  const parts: Readonly<Record<string, string>> = {
    receiptId,
    endpointId,
    deliveryId: webhookDeliveries.nodes[0].id,
    planId: plan.planId,
    linkId: createPaymentLink.linkId,
    subscriptionId: subscription.subscriptionId,
  };
  return {
    endpointId,
    addressOf: (path: string): string =>
      path.replace(/:(\w+)/g, (_, name: string) => {
        if (!parts[name]) throw new Error(`No record for :${name} of ${path}`);
        return parts[name];
      }),
  };
}
