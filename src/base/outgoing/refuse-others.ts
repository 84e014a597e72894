import http from 'node:http';
import https from 'node:https';
import { Agent, setGlobalDispatcher } from 'undici';

const refusal = (hostname: string | undefined): Error =>
  new Error(`refused: ${hostname} is no destination of this process`);

/**
 * From now on this process sends over HTTP only what `openFixedHost` and `createGuardedClient` send. A package that
 * calls `fetch`, `http.request` or `https.request` by itself reaches nothing.
 */
export function refuseOthers(): void {
  setGlobalDispatcher(new Agent({ connect: ({ hostname }, callback) => callback(refusal(hostname), null) }));
  const agents: readonly http.Agent[] = [http.globalAgent, https.globalAgent];
  for (const agent of agents)
    agent.createConnection = ({ host }) => {
      throw refusal(host ?? undefined);
    };
}
