import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { SingleBar } from 'cli-progress';
import { recordOperation } from '../../base/records/audit/record-operation.ts';
import { importUsers, MAX_FAULTS } from '../../domain/people/users/import.ts';
import { withDeps } from './open-deps.ts';
import { print } from './print.ts';

/** `quittance user import`: prints the report to stdout, and progress to stderr if it is a terminal. */
export async function userImport(file: string, options: { json?: boolean }): Promise<void> {
  const { size } = await stat(file);
  const bar = new SingleBar({
    format: 'Importing [{bar}] {percentage}%  {lines} lines  {eta_formatted} left',
    stream: process.stderr,
    noTTYOutput: false,
    hideCursor: true,
    etaBuffer: 50,
  });
  const bytes = createReadStream(file, { highWaterMark: 256 * 1024 });
  const report = await withDeps(async (deps) => {
    await recordOperation(deps, 'users.imported', ['server', 'users'], { bytes: size });
    bar.start(Math.max(size, 1), 0, { lines: 0 });
    try {
      return await importUsers(deps, bytes, (lines) => bar.update(bytes.bytesRead, { lines }));
    } finally {
      bar.stop();
      bytes.destroy();
    }
  });
  const more = report.refused - report.faults.length;
  print(report, options.json, [
    `Imported ${report.imported} of ${report.lines} users.`,
    ...report.faults.map(({ line, reason }) => `Line ${line}: ${reason}`),
    ...(more > 0 ? [`… and ${more} more invalid lines; the first ${MAX_FAULTS} are shown.`] : []),
  ]);
}
