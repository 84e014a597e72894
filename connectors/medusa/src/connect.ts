import { on, once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beginConnecting, finishConnecting } from '../../../src/client/connect/index.ts';

/*
 * `npx quittance-medusa connect https://pay.example https://shop.example`: asks the merchant, in the console, for the
 * key of this shop, and writes it into `.env` of this folder. The browser comes back to this program (RFC 8252).
 */

const [command, pay = '', shop = ''] = process.argv.slice(2);
function fail(text: string): never {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
if (command !== 'connect' || !URL.canParse(pay) || !URL.canParse(shop))
  fail('usage: npx quittance-medusa connect <address of Quittance> <address of this shop’s backend>');

const listener = createServer().listen(0, '127.0.0.1');
await once(listener, 'listening');
const returnUrl = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/`;
const webhookUrl = new URL('/hooks/payment/quittance_quittance', shop).href;
const connecting = await beginConnecting(pay, { name: 'Medusa', returnUrl, webhookUrl });
process.stdout.write(`Open this address in a browser on this machine:\n\n${connecting.address}\n\n`);

for await (const [request, response] of on(listener, 'request')) {
  // A page that does not know the state learns and changes nothing.
  const foreign = (error: Error) => (error instanceof RangeError ? undefined : fail(error.message));
  const granted = await finishConnecting(pay, connecting, request.url).catch(foreign);
  response.writeHead(granted === undefined ? 404 : 200, { 'content-type': 'text/plain' });
  await new Promise<void>((resolve) => response.end('You can close this page.\n', resolve));
  if (granted === undefined) continue;
  if (granted === null) fail('The connection was refused in the console.');
  const lines = Object.entries(granted.env).map(([name, value]) => `${name}=${value}\n`);
  appendFileSync('.env', `\n${lines.join('')}`, { mode: 0o600 });
  process.stdout.write(`Connected with ${granted.merchantName}. The key is in .env.\n`);
  process.exit();
}
