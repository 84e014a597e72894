import { expect, test } from 'vitest';
import { errorCatalogue } from '../../../../base/core/errors.ts';
import type { SentTree } from '../../../../base/core/messages/fill.ts';
import { CONSOLE_LANGUAGES } from '../../../../base/core/messages/languages.ts';
import { consoleTree, wordsOf } from '../../../../base/core/messages/words.ts';
import { MEMBER_ROLES, PERMISSIONS } from '../../../../base/core/roles.ts';
import { ALARMS } from '../../../../domain/operations/operators/alarms.ts';
import { failureCatalogue } from '../../../../domain/sales/receipts/failures.ts';
import { EVENT_KINDS } from '../../../../domain/webhooks/events/kinds.ts';
import { refusalText } from '../client/problem.ts';
import { andText, orText, words } from './words.ts';

test('an unknown text, and a missing or wrong placeholder, are no type', () => {
  expect(words.receipt.titled({ amount: '$5' })).toBe('Receipt of $5');
  // @ts-expect-error There is no such text.
  expect(words.receipt.entitled).toBeUndefined();
  // @ts-expect-error The placeholder is missing.
  words.receipt.titled({});
  // @ts-expect-error A number is no text.
  words.receipt.titled({ amount: 5 });
  // @ts-expect-error The text has no placeholder.
  expect(() => words.receipt.title({ amount: '$5' })).toThrow();
});

test('lists are written as the language writes them', () => {
  expect(andText(['a', 'b', 'c'])).toMatch(/^a, b,? and c$/);
  expect(orText(['a', 'b'])).toBe('a or b');
});

test('the English texts of the console are those of the server where both have one', () => {
  expect(Object.fromEntries(Object.entries(words.roles).map(([role, { about }]) => [role, about]))).toEqual(
    MEMBER_ROLES,
  );
  expect(words.permissions).toEqual(PERMISSIONS);
  expect(words.operator.actions).toEqual(ALARMS);
  const say = wordsOf('payment', 'en');
  for (const [status, word] of Object.entries(words.statuses)) expect(word).toBe(say(`step.${status as 'paid'}`));
  expect(words.endedStatus).toBe(say('step.ended'));
  const kinds = Object.entries(EVENT_KINDS).map(([kind, about]) => [kind.replace('.', '_'), about]);
  expect(words.webhooks.about).toEqual(Object.fromEntries(kinds));
  const failures = Object.entries(failureCatalogue);
  const curly = (text: string) => text.replaceAll("'", '’');
  const reasons = failures.map(([code, [, reason]]) => [code, curly(reason)]);
  expect(words.failures.reasons).toEqual(Object.fromEntries(reasons));
  for (const [code, action] of Object.entries(words.failures.actions))
    expect(curly(failureCatalogue[code as keyof typeof failureCatalogue][2]), code).toBe(action);
});

test('every code of the catalogue has words, in English the server’s own', () => {
  // Only clients that persist queries themselves get these codes.
  const codes = Object.keys(errorCatalogue).filter((code) => !code.startsWith('PERSISTED_'));
  for (const language of CONSOLE_LANGUAGES) {
    const { problems } = consoleTree(language) as { problems: Record<string, SentTree> };
    expect(Object.keys(problems), language).toEqual(codes);
    for (const problem of Object.values(problems)) expect(JSON.stringify(problem)).toMatch(/\p{L}{3}/u);
  }
  for (const code of codes) {
    const [, sentence] = errorCatalogue[code as keyof typeof errorCatalogue];
    expect(refusalText(code, sentence), code).toBe(sentence.replaceAll('`', ''));
  }
  const detail = 'endsAt must be in the future';
  for (const code of ['invalid_input', 'of_a_newer_server']) expect(refusalText(code, detail)).toBe(detail);
});

test('every text that has words is another one in German, but for names that both languages share', () => {
  const flat = (tree: object, path = ''): [string, string][] =>
    Object.entries(tree).flatMap(([part, below]) =>
      typeof below === 'object' && !Array.isArray(below)
        ? flat(below, `${path}.${part}`)
        : [[path + part, JSON.stringify(below)]],
    );
  const german = new Map(flat(consoleTree('de') as object));
  const same = flat(consoleTree('en') as object).filter(
    ([key, text]) => german.get(key) === text && / \w{3,} \w{3,}/.test(text),
  );
  expect(same).toEqual([]);
});
