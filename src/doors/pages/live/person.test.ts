import { expect, test } from 'vitest';
import { wordsOf } from '../../../base/core/messages/words.ts';
import { toMarkup } from '../shared/html.ts';
import { liveFor, nameOf, type Person, renderPerson, spaceOf } from './person.ts';

const say = wordsOf('live', 'en');

const ADA: Person = {
  wallet: `0x${'ab'.repeat(20)}`,
  displayName: 'Ada',
  pfpUrl: '',
  xp: 1_200,
  languages: ['en'],
  platform: 'web',
  spaceUrl: 'https://space.example/a',
  liveSince: 0,
};

test.each([
  [-5_000, 'Just went live'],
  [59_999, 'Just went live'],
  [60_000, 'Live for 1 min'],
  [3_600_000, 'Live for 1 h'],
  [5_400_000, 'Live for 1 h 30 min'],
  [86_400_000, 'Live for 1 day'],
  [200_000_000, 'Live for 2 days'],
])('after %d ms: %s', (ms, words) => {
  expect(liveFor(say, 0, ms)).toBe(words);
});

test.each(['', 'http://space.example', 'javascript:alert(1)', 'https://', ' https://x.example', 'data:text/html,x'])(
  'the address "%s" becomes no link',
  (spaceUrl) => {
    expect(spaceOf({ ...ADA, spaceUrl })).toBeNull();
    expect(toMarkup(renderPerson(say, { ...ADA, spaceUrl }, 0))).not.toContain('<a ');
  },
);

test('a person without a name is shown by wallet, and markup in any text is escaped', () => {
  expect(nameOf({ ...ADA, displayName: '  ' })).toBe('0xababab…ababab');
  const bomb = '"><script>x</script>';
  const markup = toMarkup(
    renderPerson(
      say,
      { ...ADA, displayName: bomb, platform: bomb, languages: [bomb], spaceUrl: `https://a.example/${bomb}` },
      0,
    ),
  );
  expect(markup).not.toContain('<script');
});
