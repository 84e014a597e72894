// The connector of an invented shop system: its orders are paid by crypto, whatever is lost on the way.
// Start it with `node connector.ts` and these variables:
//   QUITTANCE_URL, QUITTANCE_KEY, QUITTANCE_WEBHOOK_SECRET  of the connected shop; PORT  where this shop listens
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { actionFor, advance, type Change, createConnect, type OrderState, optionsFrom, type PaymentState } from 'quittance/connect';

const connect = createConnect(optionsFrom(process.env, 'kiosk'));

interface Order {
  payment: PaymentState;
  state: OrderState;
}
// In production: tables of a database, each change of an order in one transaction with its row locked.
const orders = new Map<string, Order>();
let cursor: string | null = null;

/** Does what the table says. It may be called with the same news any number of times, in any order. */
async function learn(change: Change): Promise<void> {
  const order = orders.get(change.order) ?? { payment: 'open', state: 'waiting' };
  orders.set(change.order, order);
  order.payment = advance(order.payment, change.state);
  const action = actionFor(order.payment, order.state);
  if (action === 'fulfil') {
    order.state = 'fulfilled';
    console.log(`shipped ${change.order}`);
  } else if (action === 'void') await connect.cancel(change.receiptId);
  else if (action === 'refund')
    await connect.askRefund(change, { cents: change.cents, reason: 'other', idempotencyKey: change.receiptId });
}

/** After a start, and each minute: what no webhook has reported. */
async function catchUp(): Promise<void> {
  const news = await connect.reconcile(cursor);
  for (const change of news.changes) await learn(change);
  cursor = news.cursor;
}

async function answer(request: IncomingMessage): Promise<object> {
  const [, place, id = ''] = (request.url ?? '').split('/');
  const body = await text(request);
  if (place === 'hook') {
    const change = await connect.receive({ headers: request.headers, body });
    if (change) await learn(change);
    return {};
  }
  if (request.method === 'POST') return connect.find({ order: id, cents: Number(body), currency: 'EUR' });
  return orders.get(id) ?? { payment: 'open', state: 'waiting' };
}

createServer((request, response) => {
  const send = (status: number, body: object) => response.writeHead(status).end(JSON.stringify(body));
  answer(request).then((body) => send(200, body), (error) => send(error.code === 'webhook_invalid' ? 401 : 500, {}));
}).listen(Number(process.env.PORT ?? 4200), '127.0.0.1', () => console.log('open'));
await catchUp();
setInterval(() => catchUp().catch(console.error), 60_000);
