/**
 * The gates that `npm run check` asks beside types and lint; each prints what it found, and any finding fails. With `--write` what the documents show of
 * the code is brought up to date first.
 */
import { breakingFaults } from './breaking.ts';
import { contractFaults } from './contract.ts';
import { driftFaults, linkFaults, writeDocuments } from './documents.ts';
import { importFaults } from './imports.ts';
import { schemaFaults } from './schema.ts';
import { sizeFaults } from './size.ts';

if (process.argv.includes('--write')) writeDocuments();

const faults = [
  ...importFaults(),
  ...(await schemaFaults()),
  ...breakingFaults(),
  ...sizeFaults(),
  ...contractFaults(),
  ...driftFaults(),
  ...linkFaults(),
];
for (const fault of faults) process.stderr.write(`${fault}\n`);
if (faults.length > 0) process.exit(1);
