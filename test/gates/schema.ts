import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { printedDocument } from '../../src/rest/openapi/printed.ts';
import { printedSchema } from '../../src/server/schema.ts';
import { root } from './sources.ts';

const PRINTED = { 'schema.graphql': printedSchema, 'openapi.json': printedDocument };

/** Generated files (GraphQL schema, OpenAPI document) that are outdated. */
export async function schemaFaults(): Promise<string[]> {
  return Object.entries(PRINTED)
    .filter(([file, print]) => readFileSync(join(root, file), 'utf8') !== print())
    .map(([file]) => `${file} is outdated: run npm run codegen`);
}
