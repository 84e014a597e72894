/** A response within this time makes an endpoint prompt; a request that waits longer makes it slow. */
const PROMPT_MS = 1_000;

/**
 * The health of endpoints with running requests. A prompt endpoint may receive many requests at once. A new or slow one
 * receives only a few, so that unresponsive endpoints never use up all sockets.
 */
export interface Endpoints {
  /** Records the start of a request to an endpoint. Call the returned function when it ends. */
  begin(group: string, nowMs: number): (nowMs: number) => void;
  /** Whether any endpoint is prompt now. */
  anyPrompt(nowMs: number): boolean;
  /** Endpoints with running requests that are not prompt. */
  slow(nowMs: number): string[];
}

interface Endpoint {
  /** The start time of each running request, oldest first. */
  readonly underway: Map<symbol, number>;
  promptAt: number;
}

/** Creates an empty record. Times are of a monotonic clock. */
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
