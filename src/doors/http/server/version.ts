import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '../../../base/platform/files/project-dir.ts';

/** The version in package.json. */
export const version: string = JSON.parse(readFileSync(join(projectDir, 'package.json'), 'utf8')).version;
