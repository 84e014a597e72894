import { Agent, buildConnector } from 'undici';

/** `fetch`, for one host. */
export type SendToHost = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** How long a connection may take to be opened. A request has a limit of its own. */
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * A `fetch` that connects only to the host of this URL, which the settings name. A redirect or a URL that leads
 * elsewhere fails.
 *
 * @param connections the most requests at a time; further ones wait
 */
export function openFixedHost(url: string, connections?: number): SendToHost {
  const allowed = new URL(url);
  const open = buildConnector({ timeout: CONNECT_TIMEOUT_MS });
  const dispatcher = new Agent({
    ...(connections !== undefined && { connections }),
    connect(options, callback) {
      const { protocol, hostname, port } = options;
      const isAllowed = protocol === allowed.protocol && hostname === allowed.hostname && port === allowed.port;
      if (isAllowed) open(options, callback);
      else callback(new Error(`refused: only ${allowed.host} may be reached here, not ${hostname}`), null);
    },
  });
  return (input, init) => fetch(input, { ...init, dispatcher } as RequestInit);
}
