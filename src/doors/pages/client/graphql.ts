import { readPageAgain } from './page.ts';

/** The text of an operation, with the types of its result and its variables. */
export type Operation<Result, Variables> = string & { readonly types?: (variables: Variables) => Result };

/** What the API says of a refusal beside its code and its English sentence. */
export interface Facts {
  /** Which of the refusals with this code it is. */
  readonly reason?: string;
  /** The field whose value is refused. */
  readonly field?: string;
  /** What the reason is about, such as a limit. */
  readonly [name: string]: unknown;
}

interface GraphqlAnswer<Data> {
  data?: Data | null;
  errors?: { message: string; extensions?: Facts & { code?: string } }[];
}

/** An error of the API, with its error code. The message is empty if the server sent none. */
export class ApiError extends Error {
  readonly code: string;
  readonly facts: Facts;
  constructor(message: string, code: string, facts: Facts = {}) {
    super(message);
    this.code = code;
    this.facts = facts;
  }
}

function tokenIn(page: Document): string {
  return page.querySelector<HTMLMetaElement>('meta[name="page-token"]')?.content ?? '';
}

/** The page token, the script's only credential. */
export function pageToken(): string {
  return tokenIn(document);
}

/**
 * Fetches the page again for a fresh token, because tokens expire before tabs close. Without one the old token stays.
 */
export async function renewToken(): Promise<void> {
  const page = await readPageAgain();
  const fresh = page ? tokenIn(page) : '';
  const meta = document.querySelector<HTMLMetaElement>('meta[name="page-token"]');
  if (fresh && meta) meta.content = fresh;
}

async function send<Data, Variables>(
  url: string,
  query: Operation<Data, Variables>,
  variables: Variables,
  proof: Proof,
): Promise<GraphqlAnswer<Data>> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/graphql-response+json, application/json',
      ...proof,
    },
    body: JSON.stringify({ query, variables }),
  });
  const body = (await answer.json().catch(() => ({}))) as GraphqlAnswer<Data>;
  if (answer.status === 401 && !body.errors) {
    return { errors: [{ message: '', extensions: { code: 'unauthorized' } }] };
  }
  return body;
}

/** Authentication headers, in addition to the browser's cookies. */
export type Proof = Readonly<Record<string, string>>;

/** The page's token as such a header. */
export const tokenProof = (): Proof => ({ authorization: `Bearer ${pageToken()}` });

/** Sends one operation with the page token, and renews the token if it has expired. Throws `ApiError`. */
async function ask<Data, Variables>(
  url: string,
  query: Operation<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const worn = pageToken();
  const answer = await send(url, query, variables, tokenProof());
  if (answer.errors?.[0]?.extensions?.code !== 'unauthorized') return dataOf(answer);
  if (pageToken() === worn) await renewToken();
  if (pageToken() === worn) return dataOf(answer);
  return dataOf(await send(url, query, variables, tokenProof()));
}

/** Sends one operation with the session cookie, and with the CSRF token for mutations. Throws `ApiError`. */
export async function askInSession<Data, Variables>(
  url: string,
  query: Operation<Data, Variables>,
  variables: Variables,
  csrf?: string,
): Promise<Data> {
  return dataOf(await send(url, query, variables, csrf ? { 'x-csrf-token': csrf } : {}));
}

function dataOf<Data>(answer: GraphqlAnswer<Data>): Data {
  const [error] = answer.errors ?? [];
  if (error) throw new ApiError(error.message, error.extensions?.code ?? 'failed', error.extensions);
  if (!answer.data) throw new ApiError('', 'failed');
  return answer.data;
}

/** Sends an operation with one root field, as `ask` does. Returns the field's value. */
export async function askOne<Result extends object, Variables extends object>(
  url: string,
  operation: Operation<Result, Variables>,
  variables: Variables,
): Promise<Result[keyof Result]> {
  const [value] = Object.values(await ask(url, operation, variables));
  return value;
}
