import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { type Journal, openJournal, quarantinedIn } from './journal.ts';

interface Entry {
  readonly n: number;
}

let dataDir: string;
let folder: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'quittance-journal-'));
  folder = join(dataDir, 'journal/orders');
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
});

const opened = (): Journal<Entry> => {
  const journal = openJournal<Entry>(dataDir, 'orders', Date.now());
  onTestFinished(() => journal.close());
  return journal;
};

const collect = () => {
  const seen: number[] = [];
  return {
    seen,
    book: async (entry: Entry) => {
      seen.push(entry.n);
      return undefined;
    },
  };
};

const filesLike = (pattern: RegExp): string[] => readdirSync(folder).filter((name) => pattern.test(name));

/** Starts another process that appends an entry and runs until it is killed. `wrap` precedes the command. */
async function otherServer(n: number, wrap: readonly string[] = []): Promise<ChildProcess> {
  const program = `
    import { openJournal } from ${JSON.stringify(join(import.meta.dirname, 'journal.ts'))};
    const journal = openJournal(${JSON.stringify(dataDir)}, 'orders', Date.now());
    await journal.append({ n: ${n} });
    process.stdout.write('ready');
    setInterval(() => {}, 240_000);`;
  const [file, ...args] = [...wrap, process.execPath, '--input-type=module', '-e', program];
  const child = spawn(file!, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout!, 'data');
  return child;
}

async function killed(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

test('appended entries are replayed once, in order', async () => {
  const journal = opened();
  await Promise.all(Array.from({ length: 50 }, (_, n) => journal.append({ n })));
  expect(journal.pending()).toBe(true);
  const { seen, book } = collect();
  expect(await journal.replay(book)).toEqual({ booked: 50, setAside: [] });
  expect(seen).toEqual(Array.from({ length: 50 }, (_, n) => n));
  expect(await journal.replay(book)).toEqual({ booked: 0, setAside: [] });
  expect(journal.pending()).toBe(false);
});

test('only its owner can read the journal', async () => {
  const journal = opened();
  await journal.append({ n: 1 });
  await journal.replay(async () => ({ setAside: 'one' }));
  await journal.append({ n: 2 });
  const modeOf = (name: string) => statSync(join(folder, name)).mode & 0o777;
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(filesLike(/\.(open|jsonl)$/).map(modeOf)).toEqual([0o600, 0o600]);
});

test('a new journal has nothing pending, and leaves nothing behind', async () => {
  const journal = openJournal<Entry>(dataDir, 'orders', Date.now());
  expect(journal.pending()).toBe(false);
  expect(journal.size()).toEqual({ bytes: 0, since: null });
  await journal.close();
  expect(readdirSync(folder)).toEqual([]);
});

test('the size is that of all files, since the oldest one', async () => {
  const journal = opened();
  const before = Date.now();
  await journal.append({ n: 1 });
  const [first] = filesLike(/\.open$/) as [string];
  const { bytes, since } = journal.size();
  expect(bytes).toBe('{"n":1}\n'.length);
  expect(since).toBe(statSync(join(folder, first)).birthtimeMs);
  // The clock of the file system may be some milliseconds late.
  expect(since).toBeGreaterThan(before - 1_000);
  await expect(journal.replay(() => Promise.reject(new Error('away')))).rejects.toThrow('away');
  await journal.append({ n: 20 });
  expect(filesLike(/-000000\.closed$/)).toHaveLength(1);
  expect(filesLike(/-000001\.open$/)).toHaveLength(1);
  expect(journal.size()).toEqual({ bytes: '{"n":1}\n{"n":20}\n'.length, since });
});

test('an entry that is appended during a replay is pending after it', async () => {
  const journal = opened();
  await journal.append({ n: 1 });
  await journal.replay(async () => {
    await journal.append({ n: 2 });
    return undefined;
  });
  expect(journal.pending()).toBe(true);
  const { seen, book } = collect();
  await journal.replay(book);
  expect(seen).toEqual([2]);
  expect(journal.pending()).toBe(false);
});

test('a lock that a process left behind is removed by the next replay', async () => {
  const server = await otherServer(1);
  await killed(server);
  const [left] = filesLike(/\.open$/) as [string];
  rmSync(join(folder, left));
  const journal = opened();
  expect(journal.pending()).toBe(true);
  expect(filesLike(/\.lock$/)).toHaveLength(2);
  await journal.replay(collect().book);
  expect(journal.pending()).toBe(false);
  expect(filesLike(/\.lock$/)).toHaveLength(1);
});

test('an entry that the disk has no space for is not acknowledged, and leaves no part of a line', async () => {
  const program = `
    import { openJournal } from ${JSON.stringify(join(import.meta.dirname, 'journal.ts'))};
    process.on('SIGXFSZ', () => {});
    const journal = openJournal(${JSON.stringify(dataDir)}, 'orders', Date.now());
    const append = (entry) => journal.append(entry).then(() => 'written', ({ code }) => code);
    const outcomes = [await append({ n: 1 }), await append({ n: 2, text: 'x'.repeat(2_000) }), await append({ n: 3 })];
    process.stdout.write(JSON.stringify(outcomes));
    process.exit();`;
  // A limit of the shell, in KiB, stands for the end of the disk.
  const args = ['-c', 'ulimit -f 1; exec "$0" --input-type=module -e "$1"', process.execPath, program];
  const child = spawn('bash', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [outcomes] = (await once(child.stdout!, 'data')) as [Buffer];
  expect(JSON.parse(String(outcomes))).toEqual(['written', 'datastore_unavailable', 'written']);
  expect(filesLike(/\.(open|closed)$/).map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual([
    '{"n":1}\n',
    '{"n":3}\n',
  ]);
});

test('entries of a failed replay are replayed again', async () => {
  const journal = opened();
  for (const n of [1, 2, 3]) await journal.append({ n });
  const failing = async ({ n }: Entry) => {
    if (n === 2) throw new Error('away again');
    return undefined;
  };
  await expect(journal.replay(failing)).rejects.toThrow('away again');
  expect(journal.pending()).toBe(true);
  const { seen, book } = collect();
  await journal.replay(book);
  expect(seen).toEqual([1, 2, 3]);
});

test('a process replays the entries of an earlier one, and ignores an incomplete last line', async () => {
  const first = openJournal<Entry>(dataDir, 'orders', Date.now());
  await first.append({ n: 7 });
  await first.close();
  const [name] = filesLike(/\.open$/) as [string];
  appendFileSync(join(folder, name), '{"n":8');
  const { seen, book } = collect();
  const next = opened();
  expect(next.pending()).toBe(true);
  await next.replay(book);
  expect(seen).toEqual([7]);
});

test('a journal that cannot be written acknowledges no entry', async () => {
  const journal = opened();
  rmSync(join(dataDir, 'journal'), { recursive: true });
  await expect(journal.append({ n: 1 })).rejects.toMatchObject({ code: 'datastore_unavailable' });
  expect(journal.pending()).toBe(false);
});

test('the files of a running server are left alone, and those of a killed server are replayed once', async () => {
  const server = await otherServer(1);
  const journal = opened();
  await journal.append({ n: 2 });
  const { seen, book } = collect();
  await journal.replay(book);
  expect(seen).toEqual([2]);
  expect(filesLike(/\.open$/)).toHaveLength(1);
  expect(journal.pending()).toBe(false);
  await killed(server);
  await journal.replay(book);
  await journal.replay(book);
  expect(seen).toEqual([2, 1]);
  expect(filesLike(/\.(open|closed)$/)).toEqual([]);
  // Only its own lock is left.
  expect(filesLike(/\.lock$/)).toHaveLength(1);
});

test('a server in another process namespace keeps its file, as in containers that share a volume', async () => {
  // Without support for namespaces it is an ordinary process.
  const tried = spawn('unshare', ['--user', '--map-root-user', '--pid', '--fork', 'true'], { stdio: 'ignore' });
  const mayUnshare = await Promise.race([
    once(tried, 'exit').then(([code]) => code === 0),
    once(tried, 'error').then(() => false),
  ]);
  const wrap = mayUnshare ? ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--kill-child'] : [];
  const server = await otherServer(1, wrap);
  const journal = opened();
  const { seen, book } = collect();
  await journal.replay(book);
  expect(seen).toEqual([]);
  await killed(server);
  await expect
    .poll(async () => {
      await journal.replay(book);
      return seen;
    })
    .toEqual([1]);
});

test('a file of a version without locks is replayed, whatever process has its pid now', async () => {
  opened();
  writeFileSync(join(folder, `lq2x-${process.pid}-000000.open`), '{"n":1}\n');
  const { seen, book } = collect();
  await opened().replay(book);
  expect(seen).toEqual([1]);
  expect(filesLike(/\.(open|closed)$/)).toEqual([]);
});

test('an entry that cannot be booked or parsed is set aside, and later entries are booked', async () => {
  const journal = opened();
  for (const n of [1, 2, 3]) await journal.append({ n });
  const [name] = filesLike(/\.open$/) as [string];
  appendFileSync(join(folder, name), 'no JSON\n');
  const seen: number[] = [];
  const picky = async ({ n }: Entry) => {
    if (n === 2) return { setAside: 'two' };
    seen.push(n);
    return undefined;
  };
  expect(await journal.replay(picky)).toEqual({ booked: 2, setAside: ['two', 'unreadable'] });
  expect(seen).toEqual([1, 3]);
  expect(journal.pending()).toBe(false);
  const lines = readFileSync(join(folder, 'quarantine.jsonl'), 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { at: expect.any(Number), reason: 'two', entry: { n: 2 } },
    { at: expect.any(Number), reason: 'unreadable', entry: 'no JSON' },
  ]);
});

/** A journal whose quarantine has the entries 1 to `count`. */
async function withQuarantine(count: number): Promise<Journal<Entry>> {
  const journal = opened();
  for (let n = 1; n <= count; n++) await journal.append({ n });
  await journal.replay(async ({ n }) => ({ setAside: `no ${n}` }));
  return journal;
}

const entriesOf = (journal: Journal<Entry>) => journal.quarantined().map(({ entry }) => entry);

test('a retry takes what it books out of the quarantine, and keeps the rest with its first reason', async () => {
  const journal = await withQuarantine(3);
  const before = journal.quarantined();
  const outcome = await journal.retry(async ({ n }) => (n === 2 ? { setAside: 'still' } : undefined));
  expect(outcome).toEqual({ booked: 2, setAside: ['still'] });
  expect(journal.quarantined()).toEqual([before[1]]);
  expect(quarantinedIn(dataDir, 'orders')).toEqual([before[1]]);
  await journal.retry(async () => undefined);
  expect(filesLike(/jsonl/)).toEqual([]);
  expect(await journal.retry(() => Promise.reject(new Error('nothing is left')))).toEqual({ booked: 0, setAside: [] });
});

test('a retry that the database ends keeps what it has not booked', async () => {
  const journal = await withQuarantine(3);
  const leaving = async ({ n }: Entry) => {
    if (n > 1) throw new Error('away again');
    return undefined;
  };
  await expect(journal.retry(leaving)).rejects.toThrow('away again');
  expect(entriesOf(journal)).toEqual([{ n: 2 }, { n: 3 }]);
});

test('an entry that is set aside while another process retries is in the quarantine afterwards', async () => {
  const journal = await withQuarantine(2);
  const server = opened();
  await server.append({ n: 3 });
  let replayed: Promise<unknown> = Promise.resolve();
  await journal.retry(async ({ n }) => {
    if (n === 1) replayed = server.replay(async () => ({ setAside: 'three' }));
    return undefined;
  });
  await replayed;
  expect(entriesOf(journal)).toEqual([{ n: 3 }]);
  expect(filesLike(/\.(open|closed)$/)).toEqual([]);
});

test('a part of a line in the quarantine is no entry, and joins none', async () => {
  const journal = await withQuarantine(1);
  appendFileSync(join(folder, 'quarantine.jsonl'), '{"at":1,"rea');
  await journal.append({ n: 2 });
  await journal.replay(async () => ({ setAside: 'two' }));
  expect(entriesOf(journal)).toEqual([{ n: 1 }, { n: 2 }]);
});

test('a discarded entry leaves the quarantine, and its line is kept', async () => {
  const journal = await withQuarantine(2);
  const [first] = journal.quarantined();
  expect(await journal.discard('unknown')).toBeNull();
  expect(await journal.discard(first!.id)).toMatchObject({ reason: 'no 1' });
  expect(entriesOf(journal)).toEqual([{ n: 2 }]);
  expect(JSON.parse(readFileSync(join(folder, 'discarded.jsonl'), 'utf8'))).toMatchObject({ entry: { n: 1 } });
});

test('an entry is set aside once and reported by the replay that ends, even if the database goes away after it', async () => {
  const journal = opened();
  for (const n of [1, 2]) await journal.append({ n });
  const leaving = async ({ n }: Entry) => {
    if (n === 1) return { setAside: 'one' };
    throw new Error('away again');
  };
  await expect(journal.replay(leaving)).rejects.toThrow('away again');
  const { seen, book } = collect();
  expect(await journal.replay(book)).toEqual({ booked: 1, setAside: ['one'] });
  expect(seen).toEqual([2]);
  expect(readFileSync(join(folder, 'quarantine.jsonl'), 'utf8').trim().split('\n')).toHaveLength(1);
});

test('without the program flock the journal does not open, and the error names the package to install', () => {
  const path = process.env.PATH;
  process.env.PATH = dataDir;
  try {
    expect(() => openJournal<Entry>(dataDir, 'orders', Date.now())).toThrow(
      /flock \(package util-linux\) is not installed/,
    );
  } finally {
    process.env.PATH = path;
  }
});
