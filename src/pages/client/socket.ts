/** `/api/graphql` → `wss://host/api/graphql` where the address is relative or http. */
export function socketUrl(url: string, base: string): string {
  const absolute = new URL(url, base);
  absolute.protocol = absolute.protocol.replace(/^http/, 'ws');
  return absolute.href;
}

const FIRST_MS = 300;
const MOST_MS = 10_000;

/** Waits before each further try: longer each time, and never all pages at once; `reset` after one that worked. */
export function createPatience(): { wait(): Promise<void>; reset(): void } {
  let waitMs = FIRST_MS;
  return {
    wait() {
      const now = waitMs * (0.75 + Math.random() / 2);
      waitMs = Math.min(waitMs * 2, MOST_MS);
      return new Promise((resolve) => setTimeout(resolve, now));
    },
    reset() {
      waitMs = FIRST_MS;
    },
  };
}

/** The protocol's code for a proof that is worth nothing, or nothing any more. */
export const FORBIDDEN = 4403;

/** The close code that an error of a socket carries; 0 where it carries none. */
export function closeCode(error: unknown): number {
  return (error as { code?: number } | null)?.code ?? 0;
}
