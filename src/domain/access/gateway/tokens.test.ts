import { decodeJwt, decodeProtectedHeader } from 'jose';
import { expect, test } from 'vitest';
import { bearerOf, isToken, openToken, signToken } from './tokens.ts';

const settings = { jwtSecret: 'a secret of this test, longer than enough' };
const other = { jwtSecret: 'another secret of this test, long enough' };
const times = { now: 1_000_999, expiresAt: 2_000_999 };
const payload = { sub: 'R-1', about: 'receipt' };
const issue = (more: object = payload) => signToken(settings, 'page', { ...more }, times);

test('a token names its purpose and times in whole seconds', async () => {
  const token = await issue();
  expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'JWT' });
  expect(decodeJwt(token)).toEqual({ ...payload, aud: 'page', iat: 1_000, exp: 2_000 });
});

test('a token opens with its secret for its purpose until it ends, the first time as later', async () => {
  const token = await issue();
  expect(await openToken(settings, 'page', token, 2_000_000)).toBeNull();
  expect(await openToken(settings, 'page', token, 1_999_999)).toMatchObject(payload);
  // The second time needs no verification.
  expect(openToken(settings, 'page', token, 1_999_999)).toMatchObject(payload);
  expect(openToken(settings, 'page', token, 2_000_000)).toBeNull();
  expect(await openToken(settings, 'session', token, 1_000_000)).toBeNull();
  expect(await openToken(other, 'page', token, 1_000_000)).toBeNull();
});

test('a token without a subject, or with other bytes, does not open', async () => {
  expect(await openToken(settings, 'page', await issue({ about: 'receipt' }), 1_000_000)).toBeNull();
  const [header, , signature] = (await issue()).split('.');
  const forged = Buffer.from(JSON.stringify({ ...decodeJwt(await issue()), sub: 'R-2' })).toString('base64url');
  expect(await openToken(settings, 'page', `${header}.${forged}.${signature}`, 1_000_000)).toBeNull();
  expect(await openToken(settings, 'page', 'a.b.c', 1_000_000)).toBeNull();
});

test('a bearer is read from its scheme only, and a token has three parts', () => {
  const read = (authorization?: string) =>
    bearerOf({ method: 'GET', host: 'pay.test', path: '/', address: '127.0.0.1', headers: { authorization } });
  expect(['Bearer a.b.c', 'bearer   x ', 'BEARER\ty'].map(read)).toEqual(['a.b.c', 'x', 'y']);
  expect([undefined, 'Basic x', 'Bearer', 'Bearerx', 'a bearer x'].map(read)).toEqual(Array(5).fill(undefined));
  expect(['a.b.c', 'a.b', 'a.b.c.d', 'abc'].map(isToken)).toEqual([true, false, false, false]);
});

test('a token of a replaced secret opens while the former value is kept, and none is signed with it', async () => {
  const replaced = { ...other, previousJwtSecret: settings.jwtSecret };
  const old = await issue();
  expect(await openToken(replaced, 'page', old, 1_000_000)).toMatchObject(payload);
  expect(openToken(replaced, 'page', old, 1_000_000)).toMatchObject(payload);
  expect(await openToken(replaced, 'page', old, 2_000_000)).toBeNull();
  expect(await openToken(replaced, 'session', old, 1_000_000)).toBeNull();
  const fresh = await signToken(replaced, 'page', { ...payload }, times);
  expect(await openToken(other, 'page', fresh, 1_000_000)).toMatchObject(payload);
  expect(await openToken({ ...other, previousJwtSecret: null }, 'page', await issue(), 1_000_000)).toBeNull();
});
