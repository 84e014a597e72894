/**
 * Loaded with `--import` into a server: on SIGUSR2 it writes the functions of `src` that ran since the last signal to
 * `FUNCTIONS_FILE`, one `file name offset` a line.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { type Profiler, Session } from 'node:inspector';

const SOURCE = /\/(src\/[^?]+)$/;
const file = process.env.FUNCTIONS_FILE;

if (file !== undefined && process.argv[1]?.endsWith('src/app/cli/main.ts')) {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  process.on('SIGUSR2', () =>
    session.post('Profiler.takePreciseCoverage', (error, { result }) => {
      if (error) throw error;
      writeFileSync(`${file}.new`, result.flatMap(ranIn).join('\n'));
      // The reader never sees half a file.
      renameSync(`${file}.new`, file);
    }),
  );
}

/** The functions of one script that ran. The script itself is the function without a name at its beginning. */
function ranIn({ url, functions }: Profiler.ScriptCoverage): string[] {
  const source = SOURCE.exec(url)?.[1];
  if (source === undefined) return [];
  return functions
    .filter(({ functionName, ranges: [range] }) => range!.count > 0 && (functionName !== '' || range!.startOffset > 0))
    .map(({ functionName, ranges: [range] }) => `${source} ${functionName || 'anonymous'} ${range!.startOffset}`);
}
