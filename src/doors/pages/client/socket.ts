/** `/api/graphql` → `wss://host/api/graphql`, for a relative or http address. */
export function socketUrl(url: string, base: string): string {
  const absolute = new URL(url, base);
  absolute.protocol = absolute.protocol.replace(/^http/, 'ws');
  return absolute.href;
}

const FIRST_MS = 300;
const MOST_MS = 10_000;

/** Exponential backoff with jitter between attempts. Call `reset` after a successful one. */
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

/** The protocol's close code for an invalid or expired credential. */
export const FORBIDDEN = 4403;

/** The close code of a socket error; 0 if it has none. */
export function closeCode(error: unknown): number {
  return (error as { code?: number } | null)?.code ?? 0;
}
