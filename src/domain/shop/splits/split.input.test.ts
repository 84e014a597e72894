import { expect, test } from 'vitest';
import { parseInput } from '../../../base/core/input.ts';
import { splitInput } from './split.input.ts';

const address = `0x${'a1'.repeat(20)}`;
const read = (body: unknown) => parseInput(splitInput, body);

test('an empty body is a split without recipients', () => {
  expect(read({})).toEqual({ wallet: undefined, splitAddress: undefined, recipients: undefined });
  expect(read({ recipients: null, splitAddress: null })).toEqual(read({}));
});

test('addresses are accepted in any letter case and stored in lower case', () => {
  expect(
    read({ splitAddress: address.toUpperCase(), recipients: [{ address: address.toUpperCase(), sharesBps: 9950 }] }),
  ).toMatchObject({
    splitAddress: address,
    recipients: [{ address, sharesBps: 9950 }],
  });
});

test.each([
  ['an address that is none', { recipients: [{ address: '0x12', sharesBps: 1 }] }, 'recipients[0].address'],
  ['a missing address', { recipients: [{ sharesBps: 9950 }] }, 'recipients[0].address'],
  ['the zero address', { recipients: [{ address: `0x${'0'.repeat(40)}`, sharesBps: 1 }] }, 'recipients[0].address'],
  ['missing shares', { recipients: [{ address }] }, 'recipients[0].sharesBps'],
  ['no shares', { recipients: [{ address, sharesBps: 0 }] }, 'recipients[0].sharesBps'],
  ['broken shares', { recipients: [{ address, sharesBps: 0.5 }] }, 'recipients[0].sharesBps'],
  ['shares in quotes', { recipients: [{ address, sharesBps: '50' }] }, 'recipients[0].sharesBps'],
  ['recipients that are no list', { recipients: {} }, 'recipients'],
  ['a recipient that is no object', { recipients: [address] }, 'recipients[0]'],
  ['a split address that is none', { splitAddress: 'x' }, 'splitAddress'],
])('%s is invalid_input naming it', (_, body, field) => {
  expect(() => read(body)).toThrow(expect.objectContaining({ code: 'invalid_input', extra: { field } }));
});

test('the form of a wallet is checked first', () => {
  expect(() => read({ wallet: 'x', recipients: {} })).toThrow(expect.objectContaining({ code: 'invalid_wallet' }));
});
