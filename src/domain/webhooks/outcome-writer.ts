import type { Deps } from '../../base/platform/deps.ts';
import { logFailure } from '../../base/platform/log/outage.ts';
import { type Outcome, recordOutcomes } from './outcomes.ts';

/** The most outcomes per statement. */
const BATCH = 512;
/** The delay after a failed write. */
const RETRY_MS = 250;

export interface OutcomeWriterOptions {
  /** Outcomes were written. Failed attempts are repeated after these delays, in milliseconds. */
  readonly onWritten: (count: number, retryDelaysMs: ReadonlySet<number>) => void;
  /** Whether to stop after a failed write, with this number of outcomes left. */
  readonly givesUp: (unwritten: number) => boolean;
}

/** Returns a function that writes outcomes in batches, until they are written. */
export function createOutcomeWriter(
  deps: Pick<Deps, 'sql' | 'log'>,
  { onWritten, givesUp }: OutcomeWriterOptions,
): (outcome: Outcome) => void {
  const unwritten: Outcome[] = [];
  let writing = false;

  /** Outcomes that arrive during a write go into the next batch. */
  async function write(): Promise<void> {
    writing = true;
    // Responses that arrive in the same tick are written together.
    await new Promise((resume) => setImmediate(resume));
    while (unwritten.length > 0) {
      const batch = unwritten.splice(0, BATCH);
      try {
        onWritten(batch.length, await recordOutcomes(deps, batch));
      } catch (error) {
        logFailure(deps.log, error, 'webhook outcomes not written yet', { outcomes: batch.length });
        unwritten.unshift(...batch);
        await new Promise((resume) => setTimeout(resume, RETRY_MS));
        if (givesUp(unwritten.length)) break;
      }
    }
    writing = false;
  }

  return (outcome) => {
    unwritten.push(outcome);
    if (!writing) void write();
  };
}
