/** An interruption shorter than this is not shown. */
const DOWN_MS = 1_000;

/** The line of a page that says that it shows old data. */
export interface OutageLine {
  /** The stream is open, or is no longer wanted: hides the line. */
  up(): void;
  /** The stream is interrupted: shows the line, unless it is open again soon. */
  down(): void;
}

/** Creates the line of a page. */
export function createOutageLine(line: HTMLElement): OutageLine {
  let missed: number | undefined;
  return {
    up() {
      clearTimeout(missed);
      missed = undefined;
      line.hidden = true;
    },
    down() {
      missed ??= window.setTimeout(() => {
        line.hidden = false;
      }, DOWN_MS);
    },
  };
}
