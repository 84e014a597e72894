import { readdirSync, readFileSync } from 'node:fs';
import { type FieldNode, parse } from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../src/doors/http/server/schema.ts';
import { newKeyFaults } from './new-keys.ts';

const CONSOLE = new URL('../../src/doors/pages/console/', import.meta.url);

test.each([
  ['src/doors/pages/console/till/planted.tsx', 'const key = crypto.randomUUID();'],
  ['src/client/planted.ts', 'const { randomUUID } = crypto;'],
  ['src/doors/pages/console/till/planted.tsx', 'await send({ input, key: newKey() });'],
])('%s is reported with %j', (path, text) => {
  expect(newKeyFaults([{ path, text }])).toHaveLength(1);
});

test('no script of a browser makes a key that plain http does not have, or a key of its own', () => {
  expect(newKeyFaults()).toEqual([]);
});

test('each mutation of the console that takes an idempotency key is given one', () => {
  const fields = schema.getMutationType()!.getFields();
  const files = readdirSync(CONSOLE, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.graphql'));
  const asked = files.flatMap((file) => {
    const found: FieldNode[] = [];
    for (const definition of parse(readFileSync(new URL(file, CONSOLE), 'utf8')).definitions)
      if (definition.kind === 'OperationDefinition' && definition.operation === 'mutation')
        found.push(...definition.selectionSet.selections.filter((one) => one.kind === 'Field'));
    return found.filter(({ name }) => fields[name.value]?.args.some((arg) => arg.name === 'idempotencyKey'));
  });
  expect(asked.length).toBeGreaterThan(5);
  const without = asked.filter((field) => !field.arguments?.some(({ name }) => name.value === 'idempotencyKey'));
  expect(without.map(({ name }) => name.value)).toEqual([]);
});
