import { apiChecks } from './documented.ts';

/** An answer, with its body parsed where it is JSON. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any;
}

export type Call = (
  method: string,
  path: string,
  options?: { headers?: Record<string, string>; body?: unknown; raw?: string },
) => Promise<Answer>;

/**
 * A caller of one server: JSON in, JSON out. `raw` sends a body as it is. An answer that is not as the API document
 * says fails its test, unless the server may be of another version than the document.
 */
export function caller(url: string, { documented = true } = {}): Call {
  return async (method, path, { headers = {}, body, raw } = {}) => {
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(url + path, {
      method,
      headers: { ...(payload === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      body: payload,
      redirect: 'manual',
    });
    const text = await response.text();
    const json = response.headers.get('content-type')?.match(/\bjson\b/);
    const answer = {
      status: response.status,
      headers: response.headers,
      body: json && text !== '' ? JSON.parse(text) : text,
    };
    const faults = documented ? apiChecks().faultsOf({ method, url: path, ...answer }) : [];
    if (faults.length > 0) throw new Error(`Not what the API document says:\n${faults.join('\n')}`);
    return answer;
  };
}
