import { execFile } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { generate } from '@graphql-codegen/cli';
import { expect, onTestFinished, test } from 'vitest';
import { entities } from '../../src/app/entities.ts';
import { createOrm } from '../../src/base/platform/orm.ts';
import { codegenOf, texts, types } from '../../tools/codegen/config.ts';
import { CLIENT_WORDS, clientWords, MESSAGE_LIST, messageList } from '../../tools/codegen/messages.ts';
import { makeTypes } from '../../tools/codegen/types.ts';
import { testDatabase } from '../support/database.ts';
import { root } from './sources.ts';

const run = promisify(execFile);

test('the checked-in operations and the made types match the output of codegen', async () => {
  await makeTypes();
  const config = codegenOf({ ...texts, ...types }, root);
  const generated: { filename: string; content: string }[] = await generate(config, false);
  generated.push({ filename: CLIENT_WORDS, content: clientWords(root) });
  generated.push({ filename: MESSAGE_LIST, content: messageList(root) });
  expect(generated.length).toBeGreaterThan(0);
  for (const { filename, content } of generated) {
    expect(readFileSync(join(root, filename), 'utf8').trim(), filename).toBe(content.trim());
  }
});

test('types are made where they are missing, changed or older than what they are made of, and not again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-types-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const isSource = (path: string) =>
    !basename(path).includes('.') || /\.graphql$|\/messages\/\w+(\/\w+\.json|\.ts)$/.test(path);
  cpSync(join(root, 'src'), join(folder, 'src'), { recursive: true, filter: isSource });
  for (const path of ['schema.graphql', 'openapi.json', 'tools'])
    cpSync(join(root, path), join(folder, path), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const api = join(folder, 'src/client/generated/api.d.ts');
  const rest = join(folder, 'src/doors/rest/generated/types.d.ts');
  /** Whether types were made. */
  const made = async () => {
    const before = existsSync(api) ? statSync(api, { bigint: true }).mtimeNs : 0n;
    await makeTypes(folder);
    return statSync(api, { bigint: true }).mtimeNs !== before;
  };
  expect([await made(), await made()]).toEqual([true, false]);

  appendFileSync(api, 'export type Planted = 1;\n');
  expect([await made(), await made()]).toEqual([true, false]);
  expect(readFileSync(api, 'utf8')).not.toContain('Planted');

  rmSync(rest);
  expect([await made(), existsSync(rest)]).toEqual([true, true]);

  appendFileSync(join(folder, 'src/doors/rest/operations/Logout.graphql'), 'query Planted { me { wallet } }\n');
  expect([await made(), await made()]).toEqual([true, false]);
  expect(readFileSync(rest, 'utf8')).toContain('PlantedQuery');

  const document = readFileSync(join(folder, 'openapi.json'), 'utf8');
  writeFileSync(join(folder, 'openapi.json'), document.replace('"receiptId"', '"plantedId"'));
  expect([await made(), await made()]).toEqual([true, false]);
  expect(readFileSync(api, 'utf8')).toContain('plantedId');

  const messages = join(folder, 'src/base/core/messages/pages/de.json');
  writeFileSync(messages, readFileSync(messages, 'utf8').replace('"moment"', '"momentum"'));
  await expect(makeTypes(folder)).rejects.toThrow('messages/pages/de.json: moment is missing');
});

test('the checked-in types of gql.tada and artifacts of Relay match the schema', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-tada-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const clients = join(root, 'test/clients');
  const output = join(folder, 'schema.d.ts');
  const generate = ['generate-output', '-c', join(clients, 'tada/tsconfig.json'), '-o', output];
  await run(join(root, 'node_modules/.bin/gql.tada'), generate);
  expect(readFileSync(join(clients, 'tada/generated/schema.d.ts'), 'utf8')).toBe(readFileSync(output, 'utf8'));
  const compiler = join(root, 'node_modules/.bin/relay-compiler');
  await run(compiler, ['--validate', 'relay.config.json'], { cwd: join(clients, 'relay') });
});

test('the migrations create the tables that the entities describe', async () => {
  const orm = await createOrm(await testDatabase(), entities);
  try {
    const changes = await orm.schema.getUpdateSchemaSQL({ wrap: false });
    // The comparison mistakes an identity column for a default that only the database has.
    const identity =
      /alter table "(settlement_shares|receipt_history|receipt_touches|subscription_events|merchant_events)" alter column "position" drop default;/g;
    // Until a contract step drops it.
    const earlierJobs = 'drop function if exists "move_earlier_jobs"();';
    expect(changes.replace(identity, '').replace(earlierJobs, '').trim()).toBe('');
  } finally {
    await orm.close();
  }
});
