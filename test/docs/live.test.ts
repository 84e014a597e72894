import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { append } from '../live/events.ts';
import { startTestServer } from '../support/server.ts';

const root = join(import.meta.dirname, '../..');
const text = readFileSync(join(root, 'docs/integrate/live.md'), 'utf8');

/** The first sample in a language, as a reader would copy it. */
function sampleIn(language: string): string {
  const [, sample] = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(text) ?? [];
  if (!sample) throw new Error(`docs/integrate/live.md has no sample in ${language}`);
  return sample;
}

test('the client of docs/integrate/live.md prints every event once, also when it is killed and started again', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.stop());
  const merchant = await server.merchant();
  const folder = mkdtempSync(join(tmpdir(), 'quittance-docs-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'follow.mjs'), sampleIn('js'));
  let output = '';
  const start = () => {
    const env = { PATH: process.env.PATH, QUITTANCE_URL: server.url, QUITTANCE_KEY: merchant.key };
    const child = spawn(process.execPath, ['follow.mjs'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  };
  const body = { id: 'r', lineItems: [{ label: 'x', priceUsd: 5 }] };
  await server.call('POST', '/api/receipts', { headers: merchant.auth, body });
  const first = start();
  await expect.poll(() => output).toBe('r 1 pending\n');
  await append(server.deps.db, server.deps.bus, merchant.wallet, 'r', 2);
  await expect.poll(() => output).toBe('r 1 pending\nr 2 tested\nr 3 tested\n');
  first.kill('SIGKILL');
  await once(first, 'exit');
  await append(server.deps.db, server.deps.bus, merchant.wallet, 'r', 2);
  start();
  await expect.poll(() => output).toBe('r 1 pending\nr 2 tested\nr 3 tested\nr 4 tested\nr 5 tested\n');
});

test('the event stream of docs/integrate/live.md answers as it says, by GET', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.stop());
  const merchant = await server.merchant();
  const body = { id: 'r', lineItems: [{ label: 'x', priceUsd: 5 }] };
  await server.call('POST', '/api/receipts', { headers: merchant.auth, body });
  const [, query] = /--data-urlencode 'query=(.+)'/.exec(sampleIn('sh')) ?? [];
  const abort = new AbortController();
  const answer = await fetch(`${server.url}/api/graphql?${new URLSearchParams({ query: query as string })}`, {
    headers: { accept: 'text/event-stream', ...merchant.auth },
    signal: abort.signal,
  });
  expect([answer.status, answer.headers.get('x-accel-buffering')]).toEqual([200, 'no']);
  let heard = '';
  const read = (async () => {
    for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) heard += chunk;
  })().catch(() => {});
  await expect
    .poll(() => heard)
    .toMatch(
      /^(?::\n\n)+event: next\nid: [0-9a-f]{8}\.\d+\.\d+\ndata: \{"data":\{"receiptStatuses":\{"receiptId":"r","seq":1,"status":"pending","cursor":"[0-9a-f]{8}\.\d+\.\d+"\}\}\}\n\n$/,
    );
  abort.abort();
  await read;
});
