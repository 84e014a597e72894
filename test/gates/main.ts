/**
 * The project checks of `npm run check`, beside types and lint. It prints each fault and exits with 1 if there is any.
 * `--write` first brings the generated parts of the documents up to date.
 */
import { breakingFaults } from './breaking.ts';
import { chainKeyFaults } from './chain-keys.ts';
import { contractFaults } from './contract.ts';
import { driftFaults, linkFaults, writeDocuments } from './documents.ts';
import { fragmentFaults, fragments, MOST_FRAGMENTS } from './fragments.ts';
import { guardedFieldFaults } from './guarded-fields.ts';
import { measured, measureFaults } from './house.ts';
import { importFaults } from './imports.ts';
import { literalTextFaults } from './literal-texts.ts';
import { migrationFaults } from './migrations.ts';
import { newKeyFaults } from './new-keys.ts';
import { outgoingFaults } from './outgoing.ts';
import { lengthFaults, MOST_WORDS, repeatFaults, stopFaults, wordsOf } from './paragraphs.ts';
import { descriptionFaults, schemaFaults } from './schema.ts';
import { floatFaults, idFaults, vocabularyFaults } from './schema-types.ts';
import { MAX_SCRIPTS, packageScripts, scriptFaults } from './scripts.ts';
import { sideFaults } from './sides.ts';
import { generatedFaults, generatedLines, MAX_GENERATED_LINES, sizeFaults } from './size.ts';
import { tableFaults } from './table-owners.ts';
import { testAccountFaults } from './test-accounts.ts';
import { walletRequestFaults } from './wallet-requests.ts';
import { widthFaults } from './width.ts';
import { wordFaults } from './words.ts';

if (process.argv.includes('--write')) writeDocuments();

const faults = [
  ...importFaults(),
  ...measureFaults(),
  ...outgoingFaults(),
  ...walletRequestFaults(),
  ...literalTextFaults(),
  ...newKeyFaults(),
  ...(await schemaFaults()),
  ...descriptionFaults(),
  ...floatFaults(),
  ...idFaults(),
  ...vocabularyFaults(),
  ...guardedFieldFaults(),
  ...breakingFaults(),
  ...scriptFaults(),
  ...sizeFaults(),
  ...fragmentFaults(),
  ...generatedFaults(),
  ...widthFaults(),
  ...sideFaults(),
  ...tableFaults(),
  ...chainKeyFaults(),
  ...migrationFaults(),
  ...contractFaults(),
  ...driftFaults(),
  ...testAccountFaults(),
  ...linkFaults(),
  ...repeatFaults(),
  ...stopFaults(),
  ...lengthFaults(),
  ...wordFaults(),
];
const counts = [
  ...measured(),
  `small files that serve one neighbour only: ${fragments().length} of at most ${MOST_FRAGMENTS}`,
  `generated lines in git: ${generatedLines()} of at most ${MAX_GENERATED_LINES}`,
  `scripts of package.json: ${Object.keys(packageScripts()).length} of at most ${MAX_SCRIPTS}`,
  `words of the documents: ${wordsOf()} of at most ${MOST_WORDS}`,
];
for (const count of counts) process.stdout.write(`${count}\n`);
for (const fault of faults) process.stderr.write(`${fault}\n`);
if (faults.length > 0) process.exit(1);
