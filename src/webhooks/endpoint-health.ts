/** An answer within this time makes an endpoint a prompt one; a request that waits longer makes it a slow one. */
const PROMPT_MS = 1_000;

/**
 * What is known of the endpoints that requests are under way to. A prompt one may be sent much at once; one that is new, or keeps somebody waiting, may
 * only be sent a little, so that all sockets are never spent on those that do not answer.
 */
export interface Endpoints {
  /** A request to an endpoint begins; call the answer when it ended. */
  begin(group: string, nowMs: number): (nowMs: number) => void;
  /** Whether any endpoint is prompt right now. */
  anyPrompt(nowMs: number): boolean;
  /** Those with requests under way that are not. */
  slow(nowMs: number): string[];
}

interface Endpoint {
  /** When each request began; the oldest first. */
  readonly underway: Map<symbol, number>;
  promptAt: number;
}

/** Makes an empty record. Times are of a monotonic clock. */
export function createEndpoints(): Endpoints {
  const endpoints = new Map<string, Endpoint>();

  function isPrompt({ underway, promptAt }: Endpoint, nowMs: number): boolean {
    const [oldest] = underway.values();
    return nowMs - promptAt < PROMPT_MS && (oldest === undefined || nowMs - oldest < PROMPT_MS);
  }

  function forgetIdle(nowMs: number): void {
    for (const [group, endpoint] of endpoints) {
      if (endpoint.underway.size === 0 && !isPrompt(endpoint, nowMs)) endpoints.delete(group);
    }
  }

  return {
    begin(group, nowMs) {
      const endpoint = endpoints.get(group) ?? { underway: new Map(), promptAt: Number.NEGATIVE_INFINITY };
      endpoints.set(group, endpoint);
      const request = Symbol();
      endpoint.underway.set(request, nowMs);
      const { underway } = endpoint;
      return (endedMs) => {
        underway.delete(request);
        if (endedMs - nowMs < PROMPT_MS) endpoint.promptAt = endedMs;
      };
    },
    anyPrompt(nowMs) {
      forgetIdle(nowMs);
      return [...endpoints.values()].some((endpoint) => isPrompt(endpoint, nowMs));
    },
    slow(nowMs) {
      forgetIdle(nowMs);
      return [...endpoints].filter(([, endpoint]) => !isPrompt(endpoint, nowMs)).map(([group]) => group);
    },
  };
}
