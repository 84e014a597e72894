import { readPageAgain } from './page.ts';

interface GraphqlAnswer<Data> {
  data?: Data | null;
  errors?: { message: string; extensions?: { code?: string } }[];
}

/** A refusal of the API, with the contract's code where it gave one. */
export class ApiError extends Error {
  readonly code: string;
  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

/** What an error of `ask` means for the person in front of the page. */
export function problemText(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  return 'The server cannot be reached at the moment. Check your connection and try again.';
}

function tokenIn(page: Document): string {
  return page.querySelector<HTMLMetaElement>('meta[name="page-token"]')?.content ?? '';
}

/** The page's token: all that the script may do, it may do with this. */
export function pageToken(): string {
  return tokenIn(document);
}

/** Fetches the page anew for a fresh token: they are short-lived, tabs are not. Where there is none the old one stays. */
export async function renewToken(): Promise<void> {
  const page = await readPageAgain();
  const fresh = page ? tokenIn(page) : '';
  const meta = document.querySelector<HTMLMetaElement>('meta[name="page-token"]');
  if (fresh && meta) meta.content = fresh;
}

async function send<Data>(url: string, query: string, variables: object, proof: Proof): Promise<GraphqlAnswer<Data>> {
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
    return { errors: [{ message: 'This page has expired.', extensions: { code: 'unauthorized' } }] };
  }
  return body;
}

/** Headers that say who asks, beside the cookies that the browser sends. */
export type Proof = Readonly<Record<string, string>>;

/** The page's token as such a header. */
export const tokenProof = (): Proof => ({ authorization: `Bearer ${pageToken()}` });

/** Sends one operation with the page's token; a worn-out one is renewed, by whoever meets it first. Throws `ApiError`. */
export async function ask<Data>(url: string, query: string, variables: object): Promise<Data> {
  const worn = pageToken();
  const answer = await send<Data>(url, query, variables, tokenProof());
  if (answer.errors?.[0]?.extensions?.code !== 'unauthorized') return dataOf(answer);
  if (pageToken() === worn) await renewToken();
  if (pageToken() === worn) return dataOf(answer);
  return dataOf(await send<Data>(url, query, variables, tokenProof()));
}

/** Sends one operation with the session's cookie, and the CSRF token where it writes. Throws `ApiError`. */
export async function askInSession<Data>(url: string, query: string, variables: object, csrf?: string): Promise<Data> {
  return dataOf(await send<Data>(url, query, variables, csrf ? { 'x-csrf-token': csrf } : {}));
}

function dataOf<Data>(answer: GraphqlAnswer<Data>): Data {
  const [error] = answer.errors ?? [];
  if (error) throw new ApiError(error.message, error.extensions?.code ?? 'failed');
  if (!answer.data) throw new ApiError('The server gave no answer.', 'failed');
  return answer.data;
}
