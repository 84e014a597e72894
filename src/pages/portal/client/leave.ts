/** How long the buyer reads where the page goes before it goes there. */
const LEAVE_AFTER_S = 8;

type Memory = 'waiting' | 'decided';

/** What this tab remembers of a receipt, across reloads and the card provider's page; nothing where it may not keep anything. */
function memoryOf(key: string) {
  let kept: string | null = null;
  try {
    kept = sessionStorage.getItem(key);
  } catch {
    // A browser that keeps nothing: the page's own memory is enough for one visit.
  }
  return {
    get: () => kept,
    set(value: Memory) {
      kept = value;
      try {
        sessionStorage.setItem(key, value);
      } catch {
        // As above.
      }
    },
  };
}

export interface LeaveOptions {
  receiptId: string;
  merchant: string;
  /** Where to; null where the buyer stays. Asked at the last moment, for what is told to the shop. */
  address(): string | null;
  /** Shows the seconds that are left; null where the buyer stays. */
  show(seconds: number | null): void;
}

/**
 * Takes the buyer to the shop after a payment that this tab has seen come: counts down where it can be seen, once, and not for who opens the page of a
 * receipt that was paid before.
 */
export function createLeaving({ receiptId, merchant, address, show }: LeaveOptions) {
  const memory = memoryOf(`quittance:leave:${merchant}:${receiptId}`);
  let left: number | null = null;

  const stop = () => {
    if (left === null) return;
    left = null;
    show(null);
  };

  setInterval(() => {
    // What nobody looks at is not shown: a tab in the background waits.
    if (left === null || document.hidden) return;
    left -= 1;
    if (left > 0) return show(left);
    memory.set('decided');
    const to = address();
    stop();
    if (to) location.assign(to);
  }, 1000);

  return {
    /** There is still something to pay. */
    waiting() {
      if (memory.get() === null) memory.set('waiting');
    },
    /** It is paid. True where the countdown begins with this. */
    paid(): boolean {
      if (left !== null || memory.get() !== 'waiting' || address() === null) return false;
      left = LEAVE_AFTER_S;
      show(left);
      return true;
    },
    /** The buyer has decided: to stay, or to go at once by the link. */
    decide() {
      memory.set('decided');
      stop();
    },
    stop,
    seconds: () => left,
  };
}
