import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { localAccount } from '../../src/base/chain/local-accounts.ts';
import { TEST_ACCOUNTS } from '../../src/base/chain/public-accounts.ts';
import { variables } from '../../src/base/platform/config/variables.ts';
import { type Document, documents } from './documents.ts';
import { root } from './sources.ts';

/** The quick start on the local chain, whose merchant is a test account. */
const LOCAL: readonly string[] = ['README.md'];

const KEYS = [0, 1, 2, 3, 4].map((nth) => localAccount('buyer', nth).privateKey.slice(2));
const HELD = new RegExp([...[...TEST_ACCOUNTS].map((account) => account.slice(2)), ...KEYS].join('|'), 'i');

/** Everything that operators and integrators copy from: documents, shipped files and the examples of variables. */
function copied(): Document[] {
  const files = readdirSync(join(root, 'docs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(?:md|png)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  const examples = Object.values(variables).map(({ example }) => example);
  return [
    ...documents(),
    ...files.map((file) => ({ path: relative(root, file), text: readFileSync(file, 'utf8') })),
    { path: 'openapi.json', text: readFileSync(join(root, 'openapi.json'), 'utf8') },
    { path: 'src/base/platform/config/variables.ts', text: examples.join('\n') },
  ];
}

/** Accounts of test mnemonics in what is copied: everybody holds their keys. */
export const testAccountFaults = (files: readonly Document[] = copied()): string[] =>
  files
    .filter(({ path, text }) => HELD.test(text) && !LOCAL.includes(path))
    .map(({ path, text }) => `${path}: ${HELD.exec(text)![0]} is an account of a test mnemonic: use a placeholder`);
