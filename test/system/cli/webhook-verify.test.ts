import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { secretOf, signBody } from '../../../src/domain/webhooks/delivery/sign.ts';
import { root } from '../../gates/sources.ts';
import { makeDataDir } from '../../support/program.ts';
import { commands } from './run.ts';

const KEY = `qk_${'k'.repeat(43)}`;
const body = Buffer.from('{"event":"receipt.status_updated","receiptId":"Größe"}\n');
const signature = signBody(secretOf(KEY), body);

test('webhook verify says whether a signature fits a body from a file or stdin, and ends with 1 where it does not', async () => {
  const dataDir = makeDataDir();
  const file = join(dataDir, 'body.json');
  writeFileSync(file, body);
  const quittance = commands({ DATA_DIR: dataDir });
  const verify = (...args: string[]) => quittance.run('webhook', 'verify', ...args);
  const valid = { valid: true, bytes: body.length };
  expect(await quittance.json('webhook', 'verify', file, '--secret', KEY, '--signature', signature)).toEqual(valid);
  const bare = await verify(file, '--secret', KEY, '--signature', signature.slice('sha256='.length));
  expect(bare).toMatchObject({ code: 0, stdout: expect.stringMatching(/^valid/) });
  for (const args of [
    ['--secret', `${KEY}x`, '--signature', signature],
    ['--secret', KEY, '--signature', `${signature}0`],
    ['--secret', KEY, '--signature', ''],
  ]) {
    expect(await verify(file, ...args)).toMatchObject({ code: 1, stdout: expect.stringMatching(/^INVALID/) });
  }
  const args = [join(root, 'src/app/cli/quittance.js'), 'webhook', 'verify', '--secret', KEY, '--signature', signature];
  const piped = (input: Buffer) => spawnSync(process.execPath, args, { input, cwd: root, encoding: 'utf8' });
  expect(piped(body)).toMatchObject({ status: 0, stdout: expect.stringMatching(/^valid/) });
  expect(piped(body.subarray(0, -1))).toMatchObject({ status: 1, stdout: expect.stringMatching(/^INVALID/) });
}, 240_000);
