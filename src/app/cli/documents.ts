import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '../../base/platform/files/project-dir.ts';
import { printedSchema } from '../../doors/http/server/schema.ts';
import { printedDocument } from '../../doors/rest/openapi/mount.ts';

/** `quittance schema`: writes the schema to its file in the repository. */
export async function printSchemaFile(): Promise<void> {
  writeFileSync(join(projectDir, 'schema.graphql'), printedSchema());
}

/** `quittance openapi`: writes the API document to its file in the repository. */
export async function printDocumentFile(): Promise<void> {
  writeFileSync(join(projectDir, 'openapi.json'), printedDocument());
}
