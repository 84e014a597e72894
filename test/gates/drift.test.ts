import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from '@graphql-codegen/cli';
import { expect, test } from 'vitest';
import codegen from '../../codegen.ts';
import { entities } from '../../src/entities.ts';
import { createOrm } from '../../src/platform/orm.ts';
import { testDatabase } from '../support/database.ts';
import { root } from './sources.ts';

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

test('the migrations create the tables that the entities describe', async () => {
  const orm = await createOrm(await testDatabase(), entities);
  try {
    const changes = await orm.schema.getUpdateSchemaSQL({ wrap: false });
    // The comparison mistakes an identity column for a default that only the database has.
    const identity =
      /alter table "(receipt_history|receipt_touches|subscription_events|merchant_events)" alter column "position" drop default;/g;
    expect(changes.replace(identity, '').trim()).toBe('');
  } finally {
    await orm.close();
  }
});
