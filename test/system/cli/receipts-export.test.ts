import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, onTestFinished, test } from 'vitest';
import { openShop, SHOP } from './shop.ts';

const SINCE = '2026-11-22T04:00Z';

test('receipts export writes a merchant’s receipts to stdout, or to a file that is complete', async () => {
  const { run, quittance } = await openShop();
  await run(
    'test-receipts',
    `insert into receipts (merchant, id, origin, status, announced_status, total_cents, currency, line_items,
       brand_name, created_at, updated_at)
     select '${SHOP}', 'R-' || n, 'order', 'pending', 'pending', n, 'USD', '[{"label":"Tea","priceCents":5}]', 'Shop',
            ${Date.parse(SINCE)} + n - 1001, 0 from generate_series(1, 3000) n`,
  );
  const folder = mkdtempSync(join(tmpdir(), 'quittance-export-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const out = join(folder, 'lines.jsonl');
  const exported = (...args: string[]) => ['receipts', 'export', '--wallet', SHOP, ...args];
  const filter = ['--filter', `createdFrom=${SINCE}`, '--filter', 'createdTo='];

  const printed = await quittance.run(...exported('--order', 'asc', ...filter));
  expect([printed.code, printed.stderr]).toEqual([0, '']);
  const rows = parse(printed.stdout, { columns: true }) as { receiptId: string }[];
  expect(rows.map(({ receiptId }) => receiptId)).toEqual(Array.from({ length: 2_000 }, (_, i) => `R-${i + 1_001}`));

  const filed = await quittance.json(...exported('--rows', 'lines', '--format', 'jsonl', '--out', out));
  expect(filed).toEqual({ ok: true, file: out, receipts: 3_000, rows: 3_000 });
  const lines = readFileSync(out, 'utf8').trim().split('\n');
  expect(JSON.parse(lines[0] as string)).toMatchObject({ receiptId: 'R-3000', label: 'Tea', amountUsd: 0.05 });
  expect([lines.length, existsSync(`${out}.part`)]).toEqual([3_000, false]);

  for (const [args, code] of [
    [['--filter', 'colour=red'], 'invalid_input'],
    [['--wallet', `0x${'cd'.repeat(20)}`], 'not_found'],
  ] as const)
    expect(await quittance.refused(...exported(...args, '--out', join(folder, 'none')))).toMatch(
      new RegExp(`^${code}: `),
    );
  expect(existsSync(join(folder, 'none'))).toBe(false);
  expect(await quittance.refused(...exported())).toMatch(/^invalid_input: --json needs --out/);
});
