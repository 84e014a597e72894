import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeAuthority } from '../../../../test/support/services/openssl.ts';
import { followTls, readTls } from './tls.ts';

function place() {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-tls-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const authority = makeAuthority(folder, 'authority');
  return { files: authority.issue('localhost'), authority };
}

test('a renewed certificate is loaded once its key is renewed too, and reported as a failure until then', async () => {
  const { files, authority } = place();
  const taken: Buffer[] = [];
  const faults: string[] = [];
  const server = { setSecureContext: ({ cert }: { cert: Buffer }) => void taken.push(cert) };
  const following = followTls(files, server, ({ message }) => faults.push(message), 10);
  onTestFinished(() => following.stop());
  const renewed = authority.issue('localhost');
  copyFileSync(renewed.certFile, files.certFile);
  await expect.poll(() => faults.length).toBeGreaterThan(1);
  expect(taken).toEqual([]);
  copyFileSync(renewed.keyFile, files.keyFile);
  await expect.poll(() => taken).toEqual([readFileSync(renewed.certFile)]);
});

test('a key and a certificate that do not match are refused', () => {
  const { files, authority } = place();
  expect(readTls(files).cert).toEqual(readFileSync(files.certFile));
  expect(() => readTls({ ...files, keyFile: authority.issue('localhost').keyFile })).toThrow(/key values mismatch/);
  writeFileSync(files.certFile, 'nonsense');
  expect(() => readTls(files)).toThrow();
});
