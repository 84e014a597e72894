import { DESTINATIONS } from '../../outgoing/destinations.ts';
import { openFixedHost } from '../../outgoing/fixed-host.ts';

/** Sends one JSON-RPC call to a chain. Throws on an error answer, a broken connection and a timeout. */
export async function askChain(
  url: string,
  method: string,
  params: unknown[],
  timeoutMs: number = DESTINATIONS.localChain.timeoutMs,
): Promise<unknown> {
  const response = await openFixedHost(url)(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const answer = (await response.json()) as { result?: unknown; error?: { message?: string } };
  if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
  return answer.result;
}
