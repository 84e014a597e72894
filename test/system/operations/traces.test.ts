import type { IncomingHttpHeaders } from 'node:http';
import { expect, inject, onTestFinished, test } from 'vitest';
import { startTestChain } from '../../../src/base/chain/test/anvil.ts';
import { workBegins } from '../../../src/base/core/observed.ts';
import { RECEIPT_WEBHOOK } from '../../../src/domain/webhooks/events/kinds.ts';
import { ask } from '../../graphql/ask.ts';
import { until } from '../../support/program.ts';
import { openReceiver } from '../../support/receiver.ts';
import { startTestServer } from '../../support/server.ts';
import { attributeOf, listen, openCollector } from './collector.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';
const traceparent = `00-${TRACE}-${CALLER}-01`;

test('a request, its root fields, statements and RPC calls are one trace, and a webhook carries its own', async () => {
  const collector = await openCollector();
  const chain = await startTestChain();
  onTestFinished(() => chain.stop());
  const asked: { readonly header: unknown; readonly methods: readonly string[] }[] = [];
  const rpcUrl = await listen((headers, body) => {
    const calls = [JSON.parse(body)].flat() as { method: string }[];
    asked.push({ header: headers.traceparent, methods: calls.map(({ method }) => method) });
  }, chain.rpcUrl);
  const env = {
    ...{ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SERVICE_NAME: 'shop' },
    OTEL_EXPORTER_OTLP_HEADERS: 'X-Key=a%20b',
    ...{ RPC_URL: rpcUrl, CONFIRMATIONS: '1' },
  };
  const server = await startTestServer({ worker: true, env });
  let running = true;
  onTestFinished(() => (running ? server.stop() : undefined));
  const merchant = await server.merchant();
  const session = await server.signIn(merchant.account);
  const receiver = await openReceiver();
  const body = { id: 'traced', lineItems: [{ label: 'Mug', priceUsd: 10 }], webhookUrl: receiver.url };
  const created = await server.call('POST', '/api/receipts', { headers: { ...merchant.auth, traceparent }, body });
  expect([created.status, created.headers.get('x-correlation-id')]).toEqual([201, TRACE]);
  const own = await server.call('GET', '/api/receipts/traced', {
    headers: { ...merchant.auth, 'x-correlation-id': 'mine', traceparent: 'nonsense' },
  });
  expect(own.headers.get('x-correlation-id')).toBe('mine');
  const pay = 'mutation($id: ID!) { payWithTestWallet(receiptId: $id, token: "USDC") { transactionHash } }';
  const paid = await ask(server, session, pay, { id: 'traced' });
  const payTrace = paid.headers.get('x-correlation-id') as string;
  expect(payTrace).toMatch(/^[0-9a-f]{32}$/);
  const refused = await ask(server, session, '{ receipt(receiptId: "none") { status } }');
  const webhook = await until(async () => {
    await chain.control.mine({ blocks: 1 });
    return receiver.received[0];
  });
  running = false;
  await server.stop();

  expect(collector.services()).toEqual(new Set(['shop']));
  const spans = collector.spans();
  const of = (traceId: string) => spans.filter((span) => span.traceId === traceId);
  const named = (traceId: string, name: string) => of(traceId).find((span) => span.name === name);
  const request = named(TRACE, 'POST /api/receipts')!;
  expect(request).toMatchObject({ parentSpanId: CALLER, kind: 2 });
  expect(attributeOf(request, 'http.response.status_code')).toBe(201);
  const field = named(TRACE, 'Mutation.createReceipt')!;
  expect(field.parentSpanId).toBe(request.spanId);
  const statements = of(TRACE).filter((span) => attributeOf(span, 'db.system.name') === 'postgresql');
  expect(statements.length).toBeGreaterThan(0);
  expect(statements.map(({ parentSpanId }) => parentSpanId)).toContain(field.spanId);
  for (const { startTimeUnixNano, endTimeUnixNano } of of(TRACE))
    expect(BigInt(endTimeUnixNano) >= BigInt(startTimeUnixNano)).toBe(true);

  // Its own id of a caller, which sent no valid trace.
  const mine = spans.find((span) => attributeOf(span, 'correlation_id') === 'mine')!;
  expect([mine.name, mine.parentSpanId, mine.traceId === TRACE]).toEqual(['GET /api/receipts/:id', undefined, false]);
  expect(named(refused.headers.get('x-correlation-id') as string, 'Query.receipt')?.status.code).toBe(2);

  const calls = of(payTrace).filter((span) => attributeOf(span, 'rpc.system') === 'jsonrpc');
  expect(calls.map(({ name }) => name)).toContain('eth_sendRawTransaction');
  const sent = asked.find(({ header, methods }) => String(header).includes(payTrace) && methods.length > 0)!;
  expect(calls.map(({ spanId }) => spanId)).toContain(String(sent.header).split('-')[2]);

  const [, webhookTrace, attempt] = String(webhook.headers.traceparent).split('-');
  expect(of(webhookTrace!)).toContainEqual(
    expect.objectContaining({ name: `webhook ${RECEIPT_WEBHOOK}`, spanId: attempt, kind: 3 }),
  );
  expect(JSON.stringify(spans)).not.toContain(merchant.key);
  expect(JSON.stringify(spans).toLowerCase()).not.toContain(merchant.wallet);
}, 240_000);

test('without a collector nothing is traced, and no header is sent', async () => {
  const headers: IncomingHttpHeaders[] = [];
  const rpcUrl = await listen((given) => void headers.push(given), inject('rpcUrl'));
  const server = await startTestServer({ env: { RPC_URL: rpcUrl } });
  onTestFinished(() => server.stop());
  const answer = await server.call('GET', '/healthz', { headers: { traceparent } });
  expect(answer.headers.get('x-correlation-id')).not.toBe(TRACE);
  expect(workBegins.hasSubscribers).toBe(false);
  expect(headers.length).toBeGreaterThan(0);
  expect(headers.filter((one) => 'traceparent' in one)).toEqual([]);
});

test('a collector that does not answer delays nothing', async () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
  const server = await startTestServer({ env });
  const { status, headers } = await server.call('GET', '/healthz', { headers: { traceparent } });
  expect([status, headers.get('x-correlation-id')]).toEqual([200, TRACE]);
  await server.stop();
  expect(workBegins.hasSubscribers).toBe(false);
});
