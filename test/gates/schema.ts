import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { printedSchema } from '../../src/server/schema.ts';
import { root } from './sources.ts';

/** Where the checked-in schema is not what the code prints. */
export async function schemaFaults(): Promise<string[]> {
  const kept = readFileSync(join(root, 'schema.graphql'), 'utf8');
  return kept === printedSchema() ? [] : ['schema.graphql is not what the code prints: run npm run codegen'];
}
