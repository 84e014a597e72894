import { expect, onTestFinished, test } from 'vitest';
import { startTestServer } from '../support/server.ts';

const LIMIT = 5;
const env = { RATE_LIMITS: JSON.stringify({ others: LIMIT }) };
const unknownKey = (n: number) => `qk_${String(n).padStart(43, 'x')}`;

test('unknown keys are refused with 429 once their address has sent too many; a valid key there is not', async () => {
  const server = await startTestServer({ env });
  onTestFinished(() => server.stop());
  const merchant = await server.merchant();
  const statusWith = async (key: string) =>
    (await fetch(`${server.url}/api/inventory`, { headers: { 'ocp-apim-subscription-key': key } })).status;
  const statuses: number[] = [];
  for (let i = 0; i < LIMIT + 2; i++) statuses.push(await statusWith(unknownKey(i)));
  expect(statuses).toEqual([...Array(LIMIT).fill(401), 429, 429]);
  expect(await statusWith(merchant.key)).toBe(200);
});

test('documents that are not valid are refused with 429 once an unproven address has sent too many; a key is answered', async () => {
  const server = await startTestServer({ env });
  onTestFinished(() => server.stop());
  const merchant = await server.merchant();
  const send = async (headers: Record<string, string>) => {
    const response = await fetch(`${server.url}/api/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query: '{ noSuchField }' }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  for (let i = 0; i < LIMIT; i++) expect((await send({})).status).not.toBe(429);
  const refused = await send({});
  expect(refused.status).toBe(429);
  expect(refused.body).toMatchObject({ error: 'rate_limited', resetAt: expect.any(Number) });
  expect((await send({ 'x-api-key': merchant.key })).status).toBe(200);
});
