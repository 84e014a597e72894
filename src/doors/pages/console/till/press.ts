/** 10,000,000.00, as the API. */
const MOST_CENTS = 1_000_000_000;

/** The amount after a key. */
export function press(cents: number, key: string): number {
  if (key === 'Backspace') return Math.floor(cents / 10);
  if (key === 'Delete') return 0;
  const next = cents * 10 ** key.length + Number(key);
  return next <= MOST_CENTS ? next : cents;
}
