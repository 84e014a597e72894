import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RECEIPT } from '../../src/domain/sales/receipts/lifecycle.ts';
import { type Answer, caller } from '../support/http.ts';
import { Dice } from '../support/seeded.ts';
import { type Served, serveBeside } from '../support/served.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { answerFaults } from './graphql-answers.ts';
import { bomb, operation } from './graphql-requests.ts';
import { restRequest } from './rest-requests.ts';
import { callerOf, openShops, remember, type Shop, tracesIn } from './session.ts';
import { playSocket } from './socket-requests.ts';

/** `npm run long -- fuzz` sets both. */
const count = Number(process.env.FUZZ_REQUESTS ?? 400);
const seed = Number(process.env.FUZZ_SEED ?? 1);
/** A server that reads its first requests still compiles; its memory is compared from then on. */
const WARM = 5_000;
const GROWTH = 1.3;

let server: TestServer;
let served: Served;
let url: string;
let shops: readonly [Shop, Shop];
const clean: (() => void | Promise<void>)[] = [];
beforeAll(async () => {
  server = await startTestServer({ redis: true });
  served = await serveBeside(server, { atEnd: (task) => void clean.push(task) });
  url = `http://127.0.0.1:${served.port}`;
  shops = await openShops(server, url);
});
afterAll(async () => {
  for (const task of clean.toReversed()) await task();
  await server.stop();
});

const memoryMiB = (): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${served.program.child.pid}/status`, 'utf8'))![1]) / 1_024;

/** One request of some kind; answers its name, what came back and what is wrong with it. */
async function play(dice: Dice, shop: Shop): Promise<{ what: string; said: string; status: number; faults: string[] }> {
  const kind = dice.weighted({ rest: 55, query: 20, mutation: 14, bomb: 3, socket: 5, subscription: 1 });
  if (kind === 'socket') return { what: 'websocket', status: 200, ...(await playSocket(dice, url, shop)) };
  const headers = callerOf(dice, shop);
  const isHostile = dice.chance(0.35);
  const call = caller(url);
  const graphql = (query: string, variables = {}) =>
    call('POST', '/api/graphql', { headers, body: { query, variables } });
  let what = '';
  let document: string | null = null;
  let answer: Answer;
  try {
    if (kind === 'rest') {
      const request = restRequest(dice, shop, isHostile);
      what = `${request.method} ${request.path.slice(0, 300)} ${request.raw?.slice(0, 600) ?? ''}`;
      answer = await call(request.method, request.path, { headers, raw: request.raw });
    } else {
      const made = kind === 'bomb' ? { query: bomb(dice), variables: {} } : operation(dice, kind, shop, isHostile);
      document = made.query;
      what = `GraphQL ${made.query.slice(0, 600)} ${JSON.stringify(made.variables).slice(0, 600)}`;
      answer = await graphql(made.query, made.variables);
    }
  } catch (error) {
    return { what, said: '', status: 0, faults: [String(error)] };
  }
  const { status, body } = answer;
  const said = typeof body === 'string' ? body : JSON.stringify(body);
  const faults = [...faultsOf(status, body), ...(document === null ? [] : answerFaults(document, body))];
  remember(shops, body);
  return { what, said, status, faults };
}

function faultsOf(status: number, body: Answer['body']): string[] {
  const codes: unknown[] = [
    body?.error,
    ...(body?.errors ?? []).map((one: { extensions?: object }) => (one.extensions as { code?: string })?.code),
  ];
  const faults: string[] = [];
  if (status >= 500 && !(status === 503 && /unavailable/.test(String(codes)))) faults.push(`status ${status}`);
  if (codes.includes('failed') || codes.includes('INTERNAL_SERVER_ERROR')) faults.push('an internal error');
  if (body?.errors && codes.slice(1).some((code) => typeof code !== 'string')) faults.push('an error without a code');
  return faults;
}

test('generated requests get documented answers, show nothing of another merchant, and break no row', {
  timeout: 90_000 + count * 1_000,
}, async () => {
  const dice = new Dice(seed);
  const found: string[] = [];
  const memory: number[] = [];
  let accepted = 0;
  for (let i = 0; i < count && found.length < 20; i++) {
    const shop = dice.pick(shops);
    const { what, said, status, faults } = await play(dice, shop);
    const traces = tracesIn(said, shop).map((trace) => `shows ${trace} to ${shop.canary}`);
    for (const fault of [...faults, ...traces])
      found.push(`seed ${seed}, request ${i}, ${shop.canary}: ${fault}\n  ${what}\n  ${said.slice(0, 400)}`);
    if (status >= 200 && status < 300) accepted += 1;
    expect(served.program.child.exitCode).toBeNull();
    if (i % 250 === 0) memory.push(memoryMiB());
    if (count > 5_000 && i % 5_000 === 0) console.log(`${i} requests, ${Math.round(memoryMiB())} MiB`);
  }
  expect(found.join('\n')).toBe('');
  // Most requests are meant to be understood.
  expect(accepted / count).toBeGreaterThan(0.15);
  const warm = memory.slice(WARM / 250);
  if (warm.length > 40) {
    const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;
    const quarter = warm.length >> 2;
    expect(median(warm.slice(-quarter)) / median(warm.slice(0, quarter))).toBeLessThan(GROWTH);
  }
  expect(await brokenRows()).toEqual([]);
  if (count > 5_000)
    console.log(
      `${count} requests from seed ${seed}: ${accepted} accepted, nothing found, ${Math.round(memory[0]!)} to ${Math.round(memory.at(-1)!)} MiB`,
    );
});

/** Rows that contradict each other. */
async function brokenRows(): Promise<object[]> {
  const em = server.deps.db.orm.em.fork();
  const moves = RECEIPT.statuses.flatMap((from) => RECEIPT.moves[from].map((to) => `('${from}', '${to}')`)).join(', ');
  const broken = await em.execute<object[]>(`
    select 'a receipt and its history' as what, r.id from receipts r
      where r.status <> coalesce((select h.status from receipt_history h where (h.merchant, h.receipt_id) = (r.merchant, r.id) order by seq desc limit 1), r.status)
         or r.seq <> coalesce((select max(seq) from receipt_history h where (h.merchant, h.receipt_id) = (r.merchant, r.id)), r.seq)
    union all
    select 'a move that the lifecycle does not have', h.receipt_id from receipt_history h
      where h.kind = 'status' and h.previous_status is not null and (h.previous_status, h.status) not in (${moves})
    union all
    select 'a stock below nothing', sku from inventory_items where stock_qty < -1
    union all
    select 'a receipt of no merchant', r.id from receipts r where not exists (select from merchants m where m.wallet = r.merchant)
    union all
    select 'a total that is not the sum of its lines', r.id from receipts r
      where r.total_cents <> (select coalesce(sum((line->>'priceCents')::numeric), 0) from jsonb_array_elements(r.line_items) line)
        and r.origin = 'order'`);
  return broken;
}
