import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { generate } from '@graphql-codegen/cli';
import { expect, onTestFinished, test } from 'vitest';
import { entities } from '../../src/entities.ts';
import { createOrm } from '../../src/platform/orm.ts';
import codegen from '../../tools/codegen/config.ts';
import { testDatabase } from '../support/database.ts';
import { root } from './sources.ts';

const run = promisify(execFile);

test('the checked-in typed operations match the output of codegen', async () => {
  const generated: { filename: string; content: string }[] = await generate(
    { ...codegen, cwd: root, silent: true },
    false,
  );
  expect(generated.length).toBeGreaterThan(0);
  for (const { filename, content } of generated) {
    expect(readFileSync(join(root, filename), 'utf8').trim(), filename).toBe(content.trim());
  }
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
    expect(changes.replace(identity, '').trim()).toBe('');
  } finally {
    await orm.close();
  }
});
