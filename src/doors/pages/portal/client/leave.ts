import { goTo } from '../../client/go-to.ts';

/** The countdown before the page redirects to the shop. */
const LEAVE_AFTER_S = 8;

type Memory = 'waiting' | 'decided';

/**
 * A value that this tab stores for a receipt across reloads and the card provider's page, if session storage is
 * available.
 */
function memoryOf(key: string) {
  let kept: string | null = null;
  try {
    kept = sessionStorage.getItem(key);
  } catch {
    // Without session storage, the value lasts for this page load only.
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
  /**
   * The URL to redirect to; null to stay. Called just before the redirect, because the URL contains the receipt's
   * status.
   */
  address(): string | null;
  /** Shows the remaining seconds; null if there is no countdown. */
  show(seconds: number | null): void;
}

/**
 * Redirects the buyer to the shop after a payment that happened while this tab was open. It counts down once, only
 * while the tab is visible, and not if the receipt was already paid when the page opened.
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
    // The countdown pauses while the tab is in the background.
    if (left === null || document.hidden) return;
    left -= 1;
    if (left > 0) return show(left);
    memory.set('decided');
    const to = address();
    stop();
    if (to) goTo(to);
  }, 1000);

  return {
    /** Records that the receipt is still unpaid. */
    waiting() {
      if (memory.get() === null) memory.set('waiting');
    },
    /** Records that the receipt is paid. Returns true if the countdown starts. */
    paid(): boolean {
      if (left !== null || memory.get() !== 'waiting' || address() === null) return false;
      left = LEAVE_AFTER_S;
      show(left);
      return true;
    },
    /** Cancels the countdown, because the buyer chose to stay or followed the link. */
    decide() {
      memory.set('decided');
      stop();
    },
    stop,
    seconds: () => left,
  };
}
