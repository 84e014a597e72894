import type { Wallet } from '../../../src/base/core/wallet.ts';
import { issuePageToken } from '../../../src/domain/access/gateway/page-token.ts';
import { caller } from '../../support/http.ts';
import { postStripe, stripeEvent } from '../../support/stripe.ts';
import type { Desk } from './desk.ts';
import type { Ordered } from './orders.ts';

const START = 'mutation ($id: ID!) { startCardCheckout(receiptId: $id) { url failure { code } } }';
const READ = `mutation ($id: ID!) { quotePayment(receiptId: $id, token: "USDC") { payTo amount } }`;
const SESSION = 'query ($id: ID!) { receipt(receiptId: $id) { onrampSessionId } }';

/**
 * Pays a receipt by card. The provider charges, delivers on the chain, and sends each of its events until it is
 * answered, some of them twice and in another order.
 */
export async function payByCard(desk: Desk, made: Ordered): Promise<void> {
  const [id] = made.receiptIds;
  const call = caller(desk.world.url);
  const { settings } = desk.world.setup.deps;
  const token = await issuePageToken(settings, { merchant: desk.merchant.wallet, receiptId: id! }, Date.now());
  const headers = { authorization: `Bearer ${token}` };
  /** The data of an answer without errors; until there is one. */
  const ask = <T>(query: string, pick: (data: never) => T | null | undefined) =>
    desk.retry(async () => {
      const { body } = await call('POST', '/api/graphql', { headers, body: { query, variables: { id } } });
      if (body.errors || !body.data) return undefined;
      return pick(body.data as never) ?? undefined;
    });
  const checkout = await ask(START, (data: { startCardCheckout: { url: string | null } }) => data.startCardCheckout);
  // A refused checkout is an answer: the buyer pays another way.
  if (!checkout?.url) return;
  const sessionId = await ask(
    SESSION,
    (data: { receipt: { onrampSessionId: string } }) => data.receipt.onrampSessionId,
  );
  const quote = await ask(READ, (data: { quotePayment: { payTo: Wallet; amount: string } }) => data.quotePayment);
  if (!sessionId || !quote) return;

  const hash = await desk.pay(quote.payTo.toLowerCase() as Wallet, BigInt(quote.amount));
  made.payment = { hash, amount: quote.amount };
  const events = [
    stripeEvent(sessionId, 'fulfillment_processing'),
    stripeEvent(sessionId, 'fulfillment_complete', { transaction_id: hash }),
  ];
  if (desk.dice.chance(0.3)) events.reverse();
  if (desk.dice.chance(0.3)) events.push(events[0]!);
  for (const event of events)
    await desk.retry(async () => (await postStripe({ url: desk.world.url }, event)).status === 200 || undefined);
}
