import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test('every page runs only scripts of this server, inline none, and no site may frame it', async () => {
  const merchant = await server.merchant();
  const session = await server.signIn(merchant.account);
  const receipt = { lineItems: [{ label: '<script>alert(1)</script>', priceUsd: 5 }], id: 'policies' };
  const made = await server.call('POST', '/api/receipts', { headers: merchant.auth, body: receipt });
  const plan = { wallet: merchant.wallet, name: 'Club', priceUsd: 5, period: 'MONTHLY' };
  const { body: planned } = await server.call('POST', '/api/subscriptions/plans', { headers: session, body: plan });
  const { pathname, search } = new URL(made.body.paymentUrl);
  // Only a paid receipt can be printed.
  await server.deps.db.orm.em
    .fork()
    .execute("update receipts set status = 'completed', closed_at = created_at where id = 'policies'");
  const pages = [
    `${pathname}${search}`,
    `${pathname}/receipt${search}`,
    '/portal/nothing',
    `/subscribe/${planned.plan.id}`,
    '/subscribe/nothing',
    '/live',
    '/console',
    '/console/receipts/policies',
    '/docs',
  ];
  for (const page of pages) {
    const { status, headers, body } = await server.call('GET', page);
    expect([200, 404], page).toContain(status);
    const policy = (headers.get('content-security-policy') ?? '').split('; ');
    expect(policy, page).toEqual(
      expect.arrayContaining(["default-src 'none'", "script-src 'self'", "base-uri 'none'", "frame-ancestors 'none'"]),
    );
    expect(headers.get('x-content-type-options'), page).toBe('nosniff');
    const inline = [...String(body).matchAll(/<script\b([^>]*)>/g)].filter(
      ([, attributes]) => !/\bsrc=/.test(attributes!),
    );
    expect(
      inline.map(([tag]) => tag),
      page,
    ).toEqual([]);
  }
});

test('behind a proxy that ends TLS the page connects by wss, and a browser opens no page over http again', async () => {
  const env = { NODE_ENV: 'production', BASE_URL: 'https://pay.example.com', ...SECRETS };
  const behind = await startTestServer({ env });
  const { headers } = await behind.call('GET', '/console');
  expect(headers.get('content-security-policy')).toMatch(/connect-src 'self' wss:/);
  expect(headers.get('content-security-policy')).not.toMatch(/\b(?:ws|http):/);
  expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
  await behind.stop();
  const { headers: local } = await server.call('GET', '/console');
  expect(local.get('strict-transport-security')).toBeNull();
});

const SECRETS = Object.fromEntries(
  ['JWT_SECRET', 'KEY_ENCRYPTION_KEY', 'CRON_SECRET'].map((name) => [name, name.padEnd(64, '0')]),
);
