import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning, markProcess, type ProcessMark } from './embedded/process.ts';

interface RunningServer {
  readonly baseUrl: string;
  readonly process: ProcessMark;
}

const fileIn = (dataDir: string): string => join(dataDir, 'server.json');

/** Records the public address of this process, for commands that run beside it. `forget` removes it. */
export function recordServer(dataDir: string, baseUrl: string): { forget(): void } {
  const mark = markProcess(process.pid);
  if (mark) writeFileSync(fileIn(dataDir), JSON.stringify({ baseUrl, process: mark } satisfies RunningServer));
  return {
    forget() {
      if (recordedServer(dataDir)?.process.pid === process.pid) rmSync(fileIn(dataDir), { force: true });
    },
  };
}

/**
 * The public address of the server that runs with this data directory, or of the last one started; null if none runs.
 */
export function runningBaseUrl(dataDir: string): string | null {
  return recordedServer(dataDir)?.baseUrl ?? null;
}

function recordedServer(dataDir: string): RunningServer | null {
  try {
    const recorded = JSON.parse(readFileSync(fileIn(dataDir), 'utf8')) as RunningServer;
    return isRunning(recorded.process) ? recorded : null;
  } catch {
    return null;
  }
}
