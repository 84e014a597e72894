import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { keptSecret } from './secrets.ts';

test('a generated secret stays the same, and only its owner can read it', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'quittance-secrets-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const secret = keptSecret(dataDir, 'jwt');
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  expect(keptSecret(dataDir, 'jwt')).toBe(secret);
  expect(keptSecret(dataDir, 'other')).not.toBe(secret);
  const modes = ['secrets', 'secrets/jwt'].map((name) => statSync(join(dataDir, name)).mode & 0o777);
  expect(modes).toEqual([0o700, 0o600]);
});
