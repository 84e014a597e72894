import { describe, expect, test } from 'vitest';
import { failureCatalogue } from '../../sales/receipts/failures.ts';
import { cardFailure, FAILURE_SOURCES } from './failure-sources.ts';
import { walletFailure } from './wallet-failures.ts';

const entries = Object.entries(FAILURE_SOURCES);

test('every code of the catalogue has a source, and no other code has one', () => {
  expect(Object.keys(FAILURE_SOURCES).toSorted()).toEqual(Object.keys(failureCatalogue).toSorted());
  for (const [code, { card, wallet, message, by }] of entries) {
    expect(card ?? wallet ?? message ?? by, code).toBeDefined();
  }
});

test('each word maps to one code', () => {
  const words = entries.flatMap(([, { card = [] }]) => card);
  expect(words).toHaveLength(new Set(words).size);
});

test.each(entries.flatMap(([code, { card = [] }]) => card.map((word) => [word, code])))(
  'a card provider’s %s is %s',
  (word, code) => {
    expect(cardFailure(word)).toBe(code);
  },
);

describe('a card provider', () => {
  test('that reports the bank’s decline code is mapped by it, before its general code', () => {
    expect(cardFailure('insufficient_funds', 'card_declined')).toBe('PORTAL_PAY_INSUFFICIENT_FUNDS');
    expect(cardFailure(null, 'card_declined')).toBe('PORTAL_PAY_CARD_DECLINED');
    expect(cardFailure('a_word_of_next_year', 'card_declined')).toBe('PORTAL_PAY_CARD_DECLINED');
  });

  test('that reports an unknown word, or none, is a generic failure', () => {
    expect(cardFailure('a_word_of_next_year')).toBe('PORTAL_SYS_GENERIC_FAILURE');
    expect(cardFailure('toString', 'constructor')).toBe('PORTAL_SYS_GENERIC_FAILURE');
    expect(cardFailure()).toBe('PORTAL_SYS_GENERIC_FAILURE');
  });
});

test.each([
  [4001, '', 'PORTAL_CHAIN_USER_REJECTED'],
  [-32000, 'MetaMask Tx Signature: User denied transaction signature.', 'PORTAL_CHAIN_USER_REJECTED'],
  [-32000, 'insufficient funds for gas * price + value', 'PORTAL_CHAIN_INSUFFICIENT_BALANCE'],
  [-32603, 'execution reverted: ERC20: transfer amount exceeds balance', 'PORTAL_CHAIN_INSUFFICIENT_BALANCE'],
  [-32603, 'execution reverted', 'PORTAL_CHAIN_TX_REVERTED'],
  [-32603, 'execution reverted: Too little received', 'PORTAL_CHAIN_SLIPPAGE_EXCEEDED'],
  [4100, 'The requested account and/or method has not been authorized by the user.', 'PORTAL_CHAIN_WALLET_MISMATCH'],
  [-32603, 'Internal JSON-RPC error.', null],
])('a wallet’s error %i “%s” is %s', (number, message, code) => {
  expect(walletFailure(number, message)).toBe(code);
});
