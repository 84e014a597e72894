import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** One call of JSON-RPC. */
export interface RpcCall {
  readonly id: number;
  readonly method: string;
  readonly params?: Record<string, string>[];
}

export type RpcAnswer = { readonly result: unknown } | { readonly error: { code: number; message: string } };

/** What a node says to a call in its own way, knowing what the chain says; null passes the call on. */
export type NodeManner = (call: RpcCall, honest: () => Promise<RpcAnswer>) => Promise<RpcAnswer | null>;

/** What a node says to a request as a whole, in place of the answers to its calls; null answers the calls. */
export type RequestManner = (asked: RpcCall | RpcCall[]) => { readonly status: number; readonly body: unknown } | null;

/** The chain behind a node that answers some calls in its own way; the node's address, until the test has ended. */
export async function openNode(
  rpcUrl: string,
  answer: NodeManner,
  refuse: RequestManner = () => null,
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
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
