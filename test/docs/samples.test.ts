import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import { documents } from '../gates/documents.ts';
import { root } from '../gates/sources.ts';

interface Sample {
  readonly document: string;
  readonly language: string;
  readonly text: string;
}

const samples: Sample[] = documents().flatMap(({ path: document, text: page }) =>
  [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)].map(([, language, text]) => ({
    document,
    language: language as string,
    text: text as string,
  })),
);

/** The programs of the documents, and the test file that runs each as it is written, from test/docs. */
const RUN: Readonly<Record<string, string>> = {
  'docs/integrate/authentication.md js': 'authentication.test.ts',
  'docs/integrate/authentication.md sh': 'authentication.test.ts',
  'docs/integrate/users.md sh': 'authentication.test.ts',
  'docs/integrate/client.md js': '../system/client-package.test.ts',
  'docs/integrate/live.md js': 'live.test.ts',
  'docs/integrate/live.md sh': 'live.test.ts',
  'docs/integrate/webhooks.md js': 'webhooks.test.ts',
  'docs/integrate/webhooks.md python': 'webhooks.test.ts',
};

/** The programs that no test runs here, each with the reason. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'docs/integrate/embed.md js': 'needs the React of a page; test/browser has one with the component',
  'docs/integrate/payment-page.md js': 'runs in the sandboxed frame of a payment page; test/browser has one',
  'docs/run/production.md sh': 'needs a production database and PostgreSQL’s own client programs',
};

/** The variables that a reader has set by then. */
const VARIABLES = new Set(['QUITTANCE_URL', 'QUITTANCE_KEY', 'DATABASE_URL']);

test('every program in the documents is run by a test, or listed with the reason why not', () => {
  const programs = samples
    .filter(({ language }) => ['js', 'sh', 'python'].includes(language))
    .map(({ document, language }) => `${document} ${language}`);
  expect([...new Set(programs)].sort()).toEqual([...Object.keys(RUN), ...Object.keys(NOT_RUN)].sort());
  for (const [program, file] of Object.entries(RUN))
    expect(readFileSync(join(root, 'test/docs', file), 'utf8')).toContain(program.split(' ')[0] as string);
});

const samplesIn = (language: string): Sample[] => samples.filter((sample) => sample.language === language);

test.each(samplesIn('graphql'))('the operation in $document fits the schema: $text', ({ text }) => {
  const schema = buildSchema(readFileSync(join(root, 'schema.graphql'), 'utf8'));
  expect(validate(schema, parse(text)).map(({ message }) => message)).toEqual([]);
});

test.each(samplesIn('json'))('the JSON in $document parses: $text', ({ text }) => {
  expect(() => JSON.parse(text)).not.toThrow();
});

test.each(samplesIn('sh'))(
  'the commands in $document parse and use no variable that is not defined: $text',
  ({ text }) => {
    expect(spawnSync('sh', ['-n'], { input: text, encoding: 'utf8' }).stderr).toBe('');
    const used = [...text.replaceAll(/'[^']*'/g, '').matchAll(/\$\{?(\w+)/g)].map(([, name]) => name as string);
    expect(used.filter((name) => !VARIABLES.has(name))).toEqual([]);
  },
);
