import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A JSON-RPC call. */
export interface RpcCall {
  readonly id: number;
  readonly method: string;
  readonly params?: Record<string, string>[];
}

export type RpcAnswer = { readonly result: unknown } | { readonly error: { code: number; message: string } };

/** A node's answer to a call, given the chain's honest answer; null passes the call on. */
export type NodeBehaviour = (call: RpcCall, honest: () => Promise<RpcAnswer>) => Promise<RpcAnswer | null>;

/** A node's answer to a whole request, instead of answers to its calls; null answers the calls. */
export type RequestBehaviour = (
  asked: RpcCall | RpcCall[],
) => { readonly status: number; readonly body: unknown } | null;

/**
 * Starts a node in front of the chain that answers some calls itself. Returns its URL. It stops when the test ends, or
 * `atEnd`.
 */
export async function openNode(
  rpcUrl: string,
  answer: NodeBehaviour,
  refuse: RequestBehaviour = () => null,
  atEnd: (close: () => void) => void = onTestFinished,
): Promise<string> {
  const passOn = async (call: RpcCall): Promise<RpcAnswer> => {
    const headers = { 'content-type': 'application/json' };
    const answered = await fetch(rpcUrl, { method: 'POST', headers, body: JSON.stringify(call) });
    return (await answered.json()) as RpcAnswer;
  };
  const server = createServer(async (request, response) => {
    const asked = JSON.parse((await request.toArray()).join('')) as RpcCall | RpcCall[];
    const refusal = refuse(asked);
    if (refusal) {
      response.writeHead(refusal.status, { 'content-type': 'application/json' }).end(JSON.stringify(refusal.body));
      return;
    }
    const answers = [asked].flat().map(async (call) => {
      const own = await answer(call, () => passOn(call));
      return { ...(own ?? (await passOn(call))), jsonrpc: '2.0', id: call.id };
    });
    const all = await Promise.all(answers);
    response.setHeader('content-type', 'application/json').end(JSON.stringify(Array.isArray(asked) ? all : all[0]));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
