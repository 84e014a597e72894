import { expect, test } from 'vitest';
import { lengthFaults, repeatFaults, stopFaults } from './paragraphs.ts';

const page = (name: string, ...lines: string[]) => ({ path: `docs/${name}.md`, text: `${lines.join('\n')}\n` });
const said = 'A key is refused within five seconds by every process.';

test('a sentence that two pages have is reported, whatever its links, marks and line breaks', () => {
  const one = page('one', '# One', '', `First. ${said}`);
  const other = page(
    'other',
    '- Before: **a key** is refused within',
    '  [five seconds](x.md) by every process. After.',
  );
  expect(repeatFaults([one, other])).toEqual([
    'docs/other.md:1: repeats docs/one.md:3: “a key is refused within five seconds by every process”',
  ]);
});

test('a sentence that a page has twice is reported, also in a table', () => {
  expect(repeatFaults([page('one', said, '', '| Key | What |', '| --- | --- |', `| a | ${said} |`)])).toHaveLength(1);
});

test('short sentences, code and generated parts may repeat', () => {
  const generated = ['<!-- made: x -->', '', said, '', '<!-- /made -->'];
  const lines = ['Keys expire.', '', 'Keys expire.', '```', said, said, '```', said, ...generated];
  expect(repeatFaults([page('one', ...lines)])).toEqual([]);
});

test.each([
  ['a paragraph', ['A page that the merge has']],
  ['a paragraph before a heading', ['It reads the', '', '## Next', '', 'It ends.']],
  ['an item', ['- It ends.', '- It does']],
  ['the last item of a list that is one sentence', ['It has', '', '- a first,', '- a second,', '', 'It ends.']],
  ['an item without a comma', ['It has', '', '- a first', '- a second.']],
])('%s that stops is reported', (_what, lines) => {
  expect(stopFaults([page('one', ...lines)])).toEqual([expect.stringContaining('stops without an end')]);
});

test('a paragraph that a merge has run into a list item is reported', () => {
  expect(stopFaults([page('one', '- It ends.', 'For integrators:', '', '- It ends.')])).toEqual([
    'docs/one.md:2: a paragraph begins within a list item',
  ]);
});

test('sentences, and what a list, code or table completes, pass', () => {
  const lines = [
    'It ends (here).',
    '',
    'It has',
    '',
    '- a first,',
    '- a second, and',
    '- a third.',
    '',
    'The command is',
  ];
  const more = ['', '```', 'npm start', '```', '', 'A table', '', '| a |', '| --- |', '', '1. **It ends.**'];
  expect(stopFaults([page('one', '# A heading', '', ...lines, ...more)])).toEqual([]);
});

test('documents with more words than are read are reported, with their number', () => {
  const three = page('one', 'One two three.');
  expect(lengthFaults([three], 3)).toEqual([]);
  expect(lengthFaults([three, page('other', 'Four.')], 3)).toEqual([
    expect.stringMatching(/^docs: 4 words, at most 3/),
  ]);
});
