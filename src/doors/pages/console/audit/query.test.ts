import { expect, test } from 'vitest';
import { nameOfWord } from '../../../../base/graphql/vocabulary.ts';
import { AUDIT_ACTIONS } from '../../../../base/records/audit/actions.ts';
import { ACTIONS_BY_CATEGORY, filterOf } from './query.ts';

const time = { now: new Date(Date.UTC(2026, 2, 15, 13, 30)), zone: 'UTC' };

test('an address filters by a category or an action, a caller, an object and a period', () => {
  expect(filterOf({ what: 'split' }, time)).toEqual({ actions: ['split_configured', 'split_replaced'] });
  expect(filterOf({ what: 'key_revoked', who: 'wallet:0x12' }, time)).toEqual({
    actions: ['key_revoked'],
    actor: 'wallet:0x12',
  });
  expect(filterOf({ object: 'transfer:0xab:7', period: 'today' }, time)).toEqual({
    objectType: 'transfer',
    objectId: '0xab:7',
    from: Date.UTC(2026, 2, 15),
    to: Date.UTC(2026, 2, 16) - 1,
  });
});

test('what an address says that is not known filters nothing', () => {
  expect(filterOf({ what: 'constructor', object: 'toString:1', period: 'never', who: '' }, time)).toEqual({});
});

test('every action of a merchant’s log is in one category', () => {
  const offered = ACTIONS_BY_CATEGORY.flatMap(([, actions]) => actions);
  expect(new Set(offered).size).toBe(offered.length);
  const ofPlatform = [
    'payments.paused',
    'payments.resumed',
    'log.level_changed',
    'merchant.invited',
    'blocks.rescanned',
    'search.rebuilt',
    'secrets.re_encrypted',
    'streams.renewed',
    'users.imported',
  ];
  const wanted = Object.keys(AUDIT_ACTIONS).filter((action) => !ofPlatform.includes(action));
  expect(offered.toSorted()).toEqual(wanted.map(nameOfWord).toSorted());
});
