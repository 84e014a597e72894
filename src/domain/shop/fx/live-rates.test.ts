import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { testDatabase, testSql } from '../../../../test/support/database.ts';
import { openRates } from './live-rates.ts';

const DOCUMENT = `<Cube time='2025-11-20'><Cube currency='USD' rate='1.1514'/></Cube>`;

test('a source that goes on failing is logged once, and once when it answers again', async () => {
  let works = false;
  let asked = 0;
  const source = createServer((_, response) => {
    asked += 1;
    response.writeHead(works ? 200 : 500).end(works ? DOCUMENT : 'no');
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void source.close());
  await new Promise((resolve) => source.once('listening', resolve));
  const ecbUrl = `http://127.0.0.1:${(source.address() as AddressInfo).port}/`;
  const db = await testSql(await testDatabase());
  const lines: [object, string][] = [];
  const log = { warn: (fields: object, message: string) => lines.push([fields, message]) };
  const fx = { source: 'ecb', ecbUrl, rates: new Map(), feeds: new Map(), maxAgeMs: 4_000, maxAgeOf: () => 4_000 };
  const rates = await openRates({ settings: { fx }, chain: {}, db, clock: Date.now, log } as never);
  onTestFinished(() => rates.close());
  await expect.poll(() => asked, { timeout: 20_000 }).toBeGreaterThan(2);
  expect(lines).toEqual([
    [{ alert: 'rate_unavailable', currency: 'EUR', source: 'ecb', reason: 'The ECB answered 500' }, 'no exchange rate'],
  ]);
  works = true;
  await expect.poll(() => rates.table().has('EUR'), { timeout: 20_000 }).toBe(true);
  expect(lines.slice(1)).toEqual([[{ currency: 'EUR', source: 'ecb' }, 'the exchange rate is read again']]);
});
