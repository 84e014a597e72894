import { fileURLToPath } from 'node:url';

/**
 * The project's folder. Only this module knows where it lies: `cli/compile.js` compiles the sources into another
 * folder, and gives them the URL of this module.
 */
export const projectDir = fileURLToPath(new URL('../../../..', import.meta.url));
