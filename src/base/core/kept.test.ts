import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sources } from '../../../test/gates/sources.ts';
import { type Keeper, keptBy } from './kept.ts';

const factoryOf = keptBy('factory of addresses', () => ({ found: false }));

test('a changed copy of a part keeps nothing twice; a changed copy of a value keeps its own', () => {
  const chain: Keeper & { readonly confirmations: number } = { kept: new Map(), confirmations: 1 };
  expect(factoryOf({ ...chain, confirmations: 2 })).toBe(factoryOf(chain));
  const settings = { secret: 'a' };
  expect(factoryOf(settings)).toBe(factoryOf(settings));
  expect(factoryOf({ ...settings, secret: 'b' })).not.toBe(factoryOf(settings));
});

test('each name of the list is kept by one file', () => {
  const list = readFileSync(new URL('kept.ts', import.meta.url), 'utf8');
  const names = [...list.slice(0, list.indexOf('as const')).matchAll(/(?<=[ [])'([^']+)'(?=[,\]])/g)].map(
    ([, name]) => name,
  );
  expect(names.length).toBeGreaterThan(50);
  const files = sources().filter(({ path }) => path.startsWith('src/') && !/\/core\/kept\.|\.test\./.test(path));
  const keeps = (name: string | undefined) => new RegExp(String.raw`(?:keptBy|lastUsesOf|atMostEvery)\(\s*'${name}',`);
  const uses = names.map((name) => [name, files.filter(({ text }) => keeps(name).test(text)).length]);
  expect(uses.filter(([, count]) => count !== 1)).toEqual([]);
});
