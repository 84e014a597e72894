import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '../platform/config.ts';

/** `quittance schema`: writes the schema as it is checked in. */
export async function printSchemaFile(): Promise<void> {
  const { printedSchema } = await import('../server/schema.ts');
  writeFileSync(join(projectDir, 'schema.graphql'), printedSchema());
}
