import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { printedDocument } from '../../src/rest/openapi/printed.ts';
import { printedSchema } from '../../src/server/schema.ts';
import { root } from './sources.ts';

const PRINTED = { 'schema.graphql': printedSchema, 'openapi.json': printedDocument };

/** Where a file that is made from the code is not what the code makes: the schema, the API document. */
export async function schemaFaults(): Promise<string[]> {
  return Object.entries(PRINTED)
    .filter(([file, print]) => readFileSync(join(root, file), 'utf8') !== print())
    .map(([file]) => `${file} is not what the code prints: run npm run codegen`);
}
