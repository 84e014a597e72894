import { rmSync } from 'node:fs';
import { erasePostgresHome } from '../../../src/platform/embedded/postgres-home.ts';
import { stopServices } from '../../../src/platform/embedded/services.ts';

/**
 * The process of `startReaper`: when the run is gone, however it ended (its end of the
 * pipe closes even on a SIGKILL), everything that it left running is ended and its folders deleted.
 */
const [redisPid, folder, ...others] = process.argv.slice(2);
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
process.stdin.resume();
process.stdin.on('end', async () => {
  if (redisPid) {
    try {
      process.kill(Number(redisPid), 'SIGKILL');
    } catch {
      // Ended by the run itself.
    }
  }
  await stopServices(folder!);
  erasePostgresHome(folder!);
  for (const one of [folder!, ...others]) rmSync(one, { recursive: true, force: true });
});
