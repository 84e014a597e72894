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

test.each([
  ['the text of an element', 'html`<p class="lead">Thank you</p>`'],
  ['a text beside a value', `html\`<p>\${name} has paid</p>\``],
  ['a single word in a choice', `html\`<b>\${paid && html\`Paid\`}</b>\``],
  ['a hidden label', 'html`<nav aria-label="Languages"></nav>`'],
  ['a label in quotes of the other kind', "html`<nav aria-label='Languages'></nav>`"],
  ['a placeholder', 'html`<input placeholder="Your name">`'],
  ['a title', `html\`<bdi title="Wallet of \${name}">x</bdi>\``],
  ['the words of a picture', 'html`<img alt="Logo" src="/a.png">`'],
  ['the value of a button', 'html`<input value="Pay" type="submit">`'],
  ['the title of the page', 'html`<title>After payment</title>`'],
  ['a text of the script', "button.textContent = name || 'Pay'"],
  ['a label of the script', "button.setAttribute('aria-label', isOpen ? 'Close' : label)"],
  ['a default of the script', "const { title = 'Payment' } = options"],
  ['an announcement', "announce('Copied')"],
  ['a sentence of an error', "throw new Error('This page has expired.')"],
])('%s in the source of a page for buyers is reported', (_, text) => {
  for (const planted of ['portal/panels.ts', 'subscribe/client/view.ts', 'embed/element.ts', 'mail/layout.ts'])
    expect(literalTextFaults([{ path: `src/doors/pages/${planted}`, text }]), planted).toHaveLength(1);
});

test('markup, what a field sends, styles, scripts and sentences of the API are not reported', () => {
  const text = `const page = html\`<!doctype html><!-- A comment --><style>body { color: red }</style><script>const a = 1</script>
<meta name="robots" content="noindex"><input type="radio" name="token" value="USDC" \${isOn && html\`checked\`}>
<button \${kind && html\`id="pay"\`} value="pay now">\${say('pay')}</button>&nbsp;\${total} USDC\`;
if (label === 'Processing Fee') throw refuse('not_found', 'There is no such image');`;
  expect(literalTexts({ path: 'src/doors/pages/portal/page.ts', text })).toEqual([]);
});

test('no page has a text that is not in the files of messages', () => {
  expect(literalTextFaults()).toEqual([]);
});
