import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test, vi } from 'vitest';
import { findFreePort } from '../../src/base/platform/embedded/process.ts';
import { newSecret } from '../../src/domain/webhooks/endpoints/secrets.ts';

test('the receiver of docs/integrate/webhooks.md accepts each event of an endpoint once, and no forged, old or changed one', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/integrate/webhooks.md'), 'utf8');
  const [, sample] = /```js\n([\s\S]*?)```/.exec(page)!;
  const folder = mkdtempSync(join(tmpdir(), 'quittance-docs-'));
  const file = join(folder, 'receiver.mjs');
  writeFileSync(file, sample as string);
  const [secret, port] = [newSecret(), await findFreePort()];
  const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) };
  const receiver = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(async () => {
    receiver.kill();
    await once(receiver, 'exit');
    rmSync(folder, { recursive: true });
  });
  let output = '';
  receiver.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const url = `http://127.0.0.1:${port}/`;
  await vi.waitFor(() => fetch(url));

  const [, example] = /```json\n([\s\S]*?)```/.exec(page)!;
  const event = JSON.parse(example as string);
  async function send(signer: string, at = new Date(), body = JSON.stringify(event), signed = body) {
    const headers = {
      'webhook-id': event.id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': `v1,bm8= ${new Webhook(signer).sign(event.id, at, signed)}`,
    };
    return (await fetch(url, { method: 'POST', headers, body })).status;
  }
  expect([await send(secret), await send(secret)]).toEqual([204, 204]);
  expect(await send(newSecret())).toBe(401);
  expect(await send(secret, new Date(Date.now() - 3_600_000))).toBe(401);
  expect(await send(secret, new Date(), '{}', JSON.stringify(event))).toBe(401);
  await expect.poll(() => output).toBe(`ship ${event.data.receiptId}\n`);
});
