import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '../../base/platform/files/project-dir.ts';
import { printedDocument } from '../../doors/rest/openapi/printed.ts';

/** `quittance openapi`: writes the API document to its file in the repository. */
export async function printDocumentFile(): Promise<void> {
  writeFileSync(join(projectDir, 'openapi.json'), printedDocument());
}
