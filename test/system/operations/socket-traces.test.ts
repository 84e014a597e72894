import { expect, onTestFinished, test } from 'vitest';
import { follow, socketClient } from '../../graphql/ask.ts';
import { startTestServer } from '../../support/server.ts';
import { attributeOf, openCollector } from './collector.ts';

const CALLER = '00f067aa0ba902b7';
const [CONNECTION, MUTATION, STREAM, REFUSED] = ['a', 'b', 'c', 'd'].map((digit) => digit.repeat(32)) as [
  string,
  string,
  string,
  string,
];
const parentIn = (trace: string) => `00-${trace}-${CALLER}-01`;

test('each operation of a websocket is a span in the trace that its message or its connection names', async () => {
  const collector = await openCollector();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_HEADERS: 'X-Key=a%20b' };
  const server = await startTestServer({ env });
  let running = true;
  onTestFinished(() => (running ? server.stop() : undefined));
  const merchant = await server.merchant();
  const session = await server.signIn(merchant.account);
  const own = { origin: server.url, cookie: session.cookie as string };
  const client = socketClient(server, { ...session, traceparent: parentIn(CONNECTION) }, own);
  const run = async (query: string, extensions?: Record<string, unknown>) => {
    const answers = client.iterate({ query, ...(extensions ? { extensions } : {}) });
    return (await answers.next()).value;
  };

  await run('{ inventory { nodes { sku } } }');
  const create =
    'mutation { createReceipt(input: { id: "spans", lines: { native: { lineItems: [{ label: "Mug", amount: 10 }] } } }) { receiptId } }';
  expect(await run(create, { traceparent: parentIn(MUTATION) })).not.toHaveProperty('errors');
  const refusal = await run('{ nothing }', { traceparent: parentIn(REFUSED) }).catch((errors: unknown) => errors);
  expect(refusal).toEqual([
    expect.objectContaining({ extensions: expect.objectContaining({ correlationId: REFUSED }) }),
  ]);

  const status = 'subscription { receiptStatus(receiptId: "spans") { status } }';
  const stream = follow<{ receiptStatus: { status: string } }>(client, status, {}, { traceparent: parentIn(STREAM) });
  await stream.next();
  const openedMs = performance.timeOrigin + performance.now();
  const body = { receiptId: 'spans', status: 'link_opened' };
  await server.call('POST', '/api/receipts/status', { headers: merchant.auth, body });
  await stream.next();
  await stream.end();
  await client.dispose();
  running = false;
  await server.stop();

  const spans = collector.spans();
  const of = (traceId: string) => spans.filter((span) => span.traceId === traceId);
  const operations = { [CONNECTION]: 'query', [MUTATION]: 'mutation', [STREAM]: 'subscription' };
  for (const [trace, type] of Object.entries(operations)) {
    const span = of(trace).find(({ name }) => name === `websocket ${type}`)!;
    expect(span).toMatchObject({ parentSpanId: CALLER, kind: 2 });
    expect(span.status.code ?? 0).toBe(0);
    expect(attributeOf(span, 'correlation_id')).toBe(trace);
    expect(attributeOf(span, 'graphql.operation.type')).toBe(type);
    const statements = of(trace).filter((one) => attributeOf(one, 'db.system.name') === 'postgresql');
    expect(statements.length).toBeGreaterThan(0);
  }
  const [field] = of(MUTATION).filter(({ name }) => name === 'Mutation.createReceipt');
  expect(field?.parentSpanId).toBe(of(MUTATION).find(({ name }) => name === 'websocket mutation')?.spanId);
  expect(of(REFUSED)).toMatchObject([{ name: 'websocket', parentSpanId: CALLER, status: { code: 2 } }]);
  // The events of a stream are read for all who follow it, so they are no part of the trace that came first.
  const later = of(STREAM).filter(
    ({ startTimeUnixNano }) => BigInt(startTimeUnixNano) > BigInt(Math.ceil(openedMs)) * 1_000_000n,
  );
  expect(later.map(({ name }) => name)).toEqual([]);
  expect(JSON.stringify(spans)).not.toContain(merchant.key);
}, 120_000);
