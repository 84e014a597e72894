/** The gates that `npm run check` asks beside types and lint; each prints what it found, and any finding fails. */
import { importFaults } from './imports.ts';
import { schemaFaults } from './schema.ts';
import { sizeFaults } from './size.ts';

const faults = [...importFaults(), ...(await schemaFaults()), ...sizeFaults()];
for (const fault of faults) process.stderr.write(`${fault}\n`);
if (faults.length > 0) process.exit(1);
