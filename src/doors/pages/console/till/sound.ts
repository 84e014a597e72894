import { playPayment } from '../client/payment-alert.ts';

const MUTED = 'console.till.muted';

/** Whether this browser plays no sound when a sale is paid. */
export const isMuted = (): boolean => localStorage.getItem(MUTED) !== null;

/** Switches the sound off or on, in this browser. */
export function setMuted(muted: boolean): void {
  if (muted) localStorage.setItem(MUTED, '1');
  else localStorage.removeItem(MUTED);
}

/** The sound of a sale that is paid, unless this browser is to play none. */
export function playPaid(): void {
  if (!isMuted()) playPayment();
}
