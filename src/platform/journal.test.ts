import { appendFileSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { openJournal } from './journal.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'quittance-journal-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
});

const collect = () => {
  const seen: number[] = [];
  return { seen, book: async (entry: { n: number }) => void seen.push(entry.n) };
};

test('what was appended is replayed once, in order', async () => {
  const journal = openJournal<{ n: number }>(dataDir, 'orders', Date.now());
  await Promise.all(Array.from({ length: 50 }, (_, n) => journal.append({ n })));
  expect(journal.pending()).toBe(true);
  const { seen, book } = collect();
  expect(await journal.replay(book)).toBe(50);
  expect(seen).toEqual(Array.from({ length: 50 }, (_, n) => n));
  expect(await journal.replay(book)).toBe(0);
  expect(journal.pending()).toBe(false);
});

test('entries of a replay that failed are handed out again', async () => {
  const journal = openJournal<{ n: number }>(dataDir, 'orders', Date.now());
  for (const n of [1, 2, 3]) await journal.append({ n });
  const failing = async ({ n }: { n: number }) => {
    if (n === 2) throw new Error('away again');
  };
  await expect(journal.replay(failing)).rejects.toThrow('away again');
  expect(journal.pending()).toBe(true);
  const { seen, book } = collect();
  await journal.replay(book);
  expect(seen).toEqual([1, 2, 3]);
});

test('a later process finds what an earlier one left, and a torn last line was never acknowledged', async () => {
  const first = openJournal<{ n: number }>(dataDir, 'orders', Date.now());
  await first.append({ n: 7 });
  await first.close();
  const folder = join(dataDir, 'journal/orders');
  const [name] = readdirSync(folder) as [string];
  appendFileSync(join(folder, name), '{"n":8');
  // The same process id lives on, so the file is handed over by name, as a turn-over would do.
  renameSync(join(folder, name), join(folder, name.replace('.open', '.closed')));
  const { seen, book } = collect();
  await openJournal<{ n: number }>(dataDir, 'orders', Date.now()).replay(book);
  expect(seen).toEqual([7]);
});

test('a journal that cannot be written acknowledges nothing', async () => {
  const journal = openJournal<{ n: number }>(dataDir, 'orders', Date.now());
  rmSync(join(dataDir, 'journal'), { recursive: true });
  await expect(journal.append({ n: 1 })).rejects.toMatchObject({ code: 'datastore_unavailable' });
  expect(journal.pending()).toBe(false);
});

test('a server that was killed finds its entries again, also under the process id that it had', async () => {
  const killed = openJournal<{ n: number }>(dataDir, 'orders', 1_000);
  await killed.append({ n: 1 });
  const { seen, book } = collect();
  const next = openJournal<{ n: number }>(dataDir, 'orders', 2_000);
  expect(next.pending()).toBe(true);
  await next.replay(book);
  expect(seen).toEqual([1]);
});
