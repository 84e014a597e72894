import { createHash, randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/*
 * `npx quittance-medusa connect https://pay.example https://shop.example`: asks the merchant, in the console, for the
 * key of this shop, and writes it into `.env` of this folder. The browser comes back to this program (RFC 8252).
 */

const [command, pay, shop] = process.argv.slice(2);

const fail = (text: string): never => {
  process.stderr.write(`${text}\n`);
  process.exit(1);
};
if (command !== 'connect' || !URL.canParse(pay ?? '') || !URL.canParse(shop ?? ''))
  fail('usage: npx quittance-medusa connect <address of Quittance> <address of this shop’s backend>');

const verifier = randomBytes(32).toString('base64url');
const state = randomBytes(16).toString('base64url');

/** The code that the browser brings; null if the merchant refused. */
const code = await new Promise<string | null>((resolve) => {
  const listener = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (searchParams.get('state') !== state) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'text/plain', connection: 'close' }).end('You can close this page.\n');
    listener.close();
    resolve(searchParams.get('code'));
  });
  listener.listen(0, '127.0.0.1', () => {
    const asked = new URL('/console/connect', pay);
    asked.search = new URLSearchParams({
      name: 'Medusa',
      return_url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}/`,
      webhook_url: new URL('/hooks/payment/quittance_quittance', shop).href,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      state,
    }).toString();
    process.stdout.write(`Open this address in a browser on this machine:\n\n${asked.href}\n\n`);
  });
});
if (code === null) fail('The connection was refused in the console.');

const answer = await fetch(new URL('/api/connect/token', pay), {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ code, codeVerifier: verifier }),
});
const { ok, message, apiKey, webhookSecret, merchantName, baseUrl } = await answer.json();
if (!ok) fail(message);
const lines = { QUITTANCE_URL: baseUrl, QUITTANCE_KEY: apiKey, QUITTANCE_WEBHOOK_SECRET: webhookSecret };
const text = Object.entries(lines).map(([name, value]) => `${name}=${value}\n`);
appendFileSync('.env', `\n${text.join('')}`, { mode: 0o600 });
process.stdout.write(`Connected with ${merchantName}. The key is in .env.\n`);
