import { expect, test } from 'vitest';
import { literalTextFaults, literalTexts } from './literal-texts.ts';

const path = 'src/doors/pages/console/home/planted.tsx';

test.each([
  ['the text of an element', 'export const A = () => <p>Sales today</p>;'],
  ['a single word', 'export const A = () => <b>Sales</b>;'],
  ['a label', 'export const A = () => <Input label="Name" />;'],
  ['a hidden label', 'export const A = () => <nav aria-label="Pages" />;'],
  ['a text in an expression', "export const A = () => <p>{open ? 'Open now' : null}</p>;"],
  ['a text in a list', "export const NAMES = { paid: 'Paid out' };"],
  ['a sentence of an error', "throw new Error('Nothing was sent.');"],
  ['a text around a value', `export const a = (n: number) => \`Show more of \${n}\`;`],
])('%s in the source of a page is reported', (_, text) => {
  expect(literalTextFaults([{ path, text }])).toHaveLength(1);
});

test('names of the program, classes and texts of the messages are not reported', () => {
  const text = `import { words } from '../shared/words.ts';
export const A = () => (
  <a class={open ? 'note warn' : \`card \${kind}\`} href="/console" rel="noopener noreferrer" title={words.more}>
    {words.home.title} · {'\\u00a0'} 12
  </a>
);`;
  expect(literalTexts({ path, text })).toEqual([]);
});
