import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { findFreePort } from '../../src/base/platform/embedded/process.ts';
import { deliveryHeaders, secretOf } from '../../src/domain/webhooks/delivery/sign.ts';

const API_KEY = `qk_${'k'.repeat(43)}`;
const text = readFileSync(join(import.meta.dirname, '../../docs/integrate/webhooks.md'), 'utf8');

/** The first sample in a language, as a reader would copy it. */
function sampleIn(language: string): string {
  const [, sample] = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(text) ?? [];
  if (!sample) throw new Error(`docs/integrate/webhooks.md has no sample in ${language}`);
  return sample;
}

const body = Buffer.from(JSON.stringify({ event: 'receipt.status_updated', receiptId: 'R-1', status: 'paid' }));
const delivery = (id: string, at = Date.now()) => ({
  headers: deliveryHeaders(secretOf(API_KEY), { id, event: 'receipt.status_updated', body }, at),
  body,
});

const pinged = Buffer.from(JSON.stringify({ event: 'ping', merchantWallet: '0x', brandKey: 'b', timestamp: 1 }));
const ping = (id: string) => ({
  headers: deliveryHeaders(secretOf(API_KEY), { id, event: 'ping', body: pinged }, Date.now()),
  body: pinged,
});

describe.each([
  ['js', process.execPath, 'receiver.mjs'],
  ['python', 'python3', 'receiver.py'],
])('the receiver in %s of docs/integrate/webhooks.md', (language, program, name) => {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-docs-'));
  let url: string;
  let output = '';
  let receiver: ReturnType<typeof spawn>;

  beforeAll(async () => {
    const port = await findFreePort();
    const file = join(folder, name);
    writeFileSync(file, sampleIn(language));
    const env = { ...process.env, QUITTANCE_KEY: API_KEY, PORT: String(port) };
    receiver = spawn(program, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    receiver.stdout?.on('data', (chunk) => {
      output += chunk;
    });
    url = `http://127.0.0.1:${port}/`;
    await vi.waitFor(() => fetch(url));
  });

  afterAll(async () => {
    receiver.kill();
    await once(receiver, 'exit');
    rmSync(folder, { recursive: true });
  });

  const send = async (request: { headers: Record<string, string>; body: Buffer<ArrayBuffer> }) =>
    (await fetch(url, { method: 'POST', ...request })).status;

  test('takes what we send, once for each delivery', async () => {
    expect(await send(delivery('one'))).toBe(204);
    expect(await send(delivery('one'))).toBe(204);
    expect(await send(delivery('two'))).toBe(204);
    await expect.poll(() => output).toBe('R-1 paid\nR-1 paid\n');
  });

  test('takes a test event, which belongs to no receipt', async () => {
    expect(await send(ping('test-event'))).toBe(204);
    await expect.poll(() => output).toBe('R-1 paid\nR-1 paid\nping\n');
  });

  // Contract: webhooks.signature
  test('refuses another body, another moment and another key', async () => {
    const { headers } = delivery('three');
    expect(await send({ headers, body: Buffer.from(`${body} `) })).toBe(401);
    expect(await send(delivery('three', Date.now() - 3_600_000))).toBe(401);
    expect(await send({ headers: { ...headers, 'webhook-timestamp': '1' }, body })).toBe(401);
    expect(await send({ headers: { ...headers, 'X-Service-Signature': 'sha256=é' }, body })).toBe(401);
  });
});

test('the standardwebhooks package verifies as docs/integrate/webhooks.md says', () => {
  expect(text).toContain("new Webhook(apiKey, { format: 'raw' }).verify(body, headers)");
  const { headers } = delivery('four');
  expect(new Webhook(API_KEY, { format: 'raw' }).verify(body.toString(), headers)).toMatchObject({ receiptId: 'R-1' });
});
