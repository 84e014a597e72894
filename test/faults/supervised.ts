import { setTimeout as pause } from 'node:timers/promises';
import type { Program } from '../support/program.ts';

const RESTART_MS = 250;
/** Characters. */
const LOGGED = 3_000;

/**
 * A process that is started again whenever it ends, as a service manager does: one that starts while its database is
 * away gives up.
 */
export class Supervised {
  readonly #start: () => Program;
  #program: Program;
  #isWanted = true;

  constructor(start: () => Program) {
    this.#start = start;
    this.#program = start();
    void this.#watch();
  }

  /** Ends the process; another one follows. */
  async kill(): Promise<void> {
    const { child, exit } = this.#program;
    child.kill('SIGKILL');
    await exit;
  }

  /** The end of what the process has logged. */
  log(): string {
    return this.#program.stderr().slice(-LOGGED);
  }

  signal(name: NodeJS.Signals): void {
    this.#program.child.kill(name);
  }

  /** Ends the process for good. */
  async end(): Promise<void> {
    this.#isWanted = false;
    await this.kill();
  }

  async #watch(): Promise<void> {
    for (;;) {
      await this.#program.exit;
      await pause(RESTART_MS);
      if (!this.#isWanted) return;
      this.#program = this.#start();
    }
  }
}
