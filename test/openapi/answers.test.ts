import { describe, expect, test } from 'vitest';
import { apiChecks } from '../support/documented.ts';

const headers = (more: Record<string, string> = {}) =>
  new Headers({ 'content-type': 'application/json; charset=utf-8', 'x-correlation-id': 'c-1', ...more });

const split = { split: { address: null, recipients: [] } };
const answer = { method: 'GET', url: '/api/split/deploy', status: 200, headers: headers(), body: split };
const refused = { error: 'forbidden', message: 'No' };

const { faultsOf, webhookFaults } = apiChecks();

test('an answer that is as the document says passes', () => {
  expect(faultsOf(answer)).toEqual([]);
  expect(faultsOf({ ...answer, status: 403, body: refused })).toEqual([]);
});

describe('caught is', () => {
  test.each([
    ['a field that the document does not have', { body: { split: { ...split.split, secret: 1 } } }, 'additional'],
    ['a field that is missing', { body: { split: { address: null } } }, "required property 'recipients'"],
    ['null where it may not be', { body: { split: { address: null, recipients: null } } }, 'must be array'],
    ['a wallet in capitals', { body: { split: { address: `0x${'A'.repeat(40)}`, recipients: [] } } }, 'pattern'],
    ['a status', { status: 418 }, 'answers 418'],
    [
      'an error code that the route does not refuse with',
      { status: 403, body: { ...refused, error: 'split_required' } },
      'allowed values',
    ],
    [
      'a rate limit that does not say until when',
      { status: 429, body: { error: 'rate_limited', message: '' } },
      'resetAt',
    ],
    ['a header', { headers: headers({ 'x-powered-by': 'us' }) }, 'x-powered-by'],
    ['a header that is missing', { headers: new Headers({ 'content-type': 'application/json' }) }, 'X-Correlation-Id'],
    ['a header of another form', { headers: headers({ 'x-ratelimit-limit': 'many' }) }, 'X-RateLimit-Limit'],
    ['another media type', { headers: headers({ 'content-type': 'text/html' }) }, 'text/html'],
    ['a route', { url: '/api/unheard/of' }, 'not in the document'],
    ['a method', { method: 'PUT' }, 'not in it'],
  ])('%s', (_what, planted, fault) => {
    expect(faultsOf({ ...answer, ...planted }).join()).toContain(fault);
  });

  test('a webhook with a field that the document does not have, or without one that it has', () => {
    expect(webhookFaults({ event: 'receipt.status_updated', extra: 1 }).join()).toMatch(/additional.*|receiptId/);
  });
});

test('paths outside the API are not checked', () => {
  expect(faultsOf({ ...answer, url: '/portal/R-1', headers: headers({ 'x-own': '1' }) })).toEqual([]);
});
