// A small shop: it sells, sends the buyer to the payment page, and ships when the webhook says that the money is there.
// Start it with `node shop.ts` (Node.js 22.18 or newer) and these variables:
//   QUITTANCE_URL  the address of the server
//   QUITTANCE_KEY  a key with the scopes orders:create and inventory:write
//   SHOP_URL       the address of this shop, as the buyer and the server reach it
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { createQuittance, QuittanceError, verifyWebhook } from 'quittance/client';

const { QUITTANCE_URL = 'http://localhost:4000', QUITTANCE_KEY = '', SHOP_URL = 'http://localhost:3000' } = process.env;
const quittance = createQuittance({ url: QUITTANCE_URL, key: QUITTANCE_KEY });

const PRODUCTS = [
  { sku: 'TEA-GREEN', name: 'Green tea, 50 g', priceUsd: 7.5, stockQty: 100 },
  { sku: 'MUG-STONE', name: 'Stoneware mug', priceUsd: 24, stockQty: 12 },
];

interface Order {
  readonly sku: string;
  /** The payment in the page of the order. */
  readonly payment: string;
  status: 'waiting for the payment' | 'shipped';
}
// In production: a table of a database.
const orders = new Map<string, Order>();

/** Only text that was made safe becomes part of a page. */
const escape = (value: string): string => value.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

function page(response: ServerResponse, title: string, content: string, status = 200): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' });
  response.end(
    `<!doctype html><html lang="en"><title>${escape(title)}</title><h1>${escape(title)}</h1>${content}</html>`,
  );
}

function showProducts(response: ServerResponse): void {
  const forms = PRODUCTS.map(
    ({ sku, name, priceUsd }) => `<form method="post" action="/buy">
      <p>${escape(name)}, $${priceUsd.toFixed(2)}</p>
      <button name="sku" value="${escape(sku)}">Buy</button>
    </form>`,
  );
  page(response, 'Tea and mugs', forms.join(''));
}

/** Orders the product and sends the buyer to the payment page. */
async function buy(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const sku = new URLSearchParams(await text(request)).get('sku') ?? '';
  const id = randomUUID();
  // The language of the buyer's browser. A shop that has languages passes the one that the buyer reads it in.
  const [language] = /^[a-z]{2,3}/i.exec(request.headers['accept-language'] ?? '') ?? ['en'];
  const { paymentUrl, receipt, checkoutToken } = await quittance.orders.create({
    items: [{ sku, qty: 1 }],
    language,
    transactionId: id,
    returnUrl: `${SHOP_URL}/orders/${id}`,
    webhookUrl: `${SHOP_URL}/webhook`,
  });
  const payment = `<script src="${QUITTANCE_URL}/embed.js"></script>
    <quittance-checkout receipt="${receipt.receiptId}" token="${checkoutToken}" lang="${language}">
    </quittance-checkout>`;
  orders.set(id, { sku, payment, status: 'waiting for the payment' });
  response.writeHead(303, { location: paymentUrl }).end();
}

function showOrder(response: ServerResponse, id: string): void {
  const order = orders.get(id);
  const payment = order?.status === 'shipped' ? '' : order?.payment;
  if (order) page(response, 'Your order', `<p>${escape(order.sku)}: ${order.status}</p>${payment}`);
  else page(response, 'Not found', '<p>There is no such order.</p>', 404);
}

/** Ships what is paid. The same webhook may arrive twice, and they may arrive in any order. */
async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const event = await verifyWebhook({ headers: request.headers, body: await text(request) }, QUITTANCE_KEY);
  if (event.type === 'receipt.status_updated' && event.data.status === 'paid') {
    const order = orders.get(event.data.transactionId ?? '');
    if (order && order.status !== 'shipped') {
      order.status = 'shipped';
      console.log(`shipped ${order.sku} for ${event.data.receiptId}`);
    }
  }
  response.writeHead(204).end();
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', SHOP_URL);
  const route = `${request.method} ${pathname}`;
  if (route === 'GET /') showProducts(response);
  else if (route === 'POST /buy') await buy(request, response);
  else if (route === 'POST /webhook') await receive(request, response);
  else showOrder(response, pathname.replace('/orders/', ''));
}

/** What the buyer sees if an order fails, and what a sender of forged webhooks sees. */
function refuse(response: ServerResponse, error: unknown): void {
  console.error(error);
  if (error instanceof QuittanceError && error.code === 'webhook_invalid') response.writeHead(401).end();
  else if (error instanceof QuittanceError && error.code === 'inventory_item_not_found')
    page(response, 'Sold out', '<p>We have no more of it.</p>', 409);
  else page(response, 'Something went wrong', '<p>Please try again.</p>', 500);
}

for (const product of PRODUCTS) await quittance.catalog.create(product);
createServer((request, response) => {
  answer(request, response).catch((error) => refuse(response, error));
}).listen(Number(new URL(SHOP_URL).port || 3000), () => console.log(`The shop is open at ${SHOP_URL}`));
