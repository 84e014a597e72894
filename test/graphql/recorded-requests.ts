import { getIntrospectionQuery } from 'graphql';
import { sha256 } from '../../src/base/platform/secrets.ts';
import { issueKey } from '../../src/domain/access/keys/issue.ts';
import type { TestMerchant, TestServer } from '../support/server.ts';

/** One HTTP request to the GraphQL endpoint. */
export interface Recorded {
  readonly name: string;
  readonly method: string;
  /** What follows `/api/graphql`. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

type Params = Readonly<Record<string, unknown>>;
type Headers = Readonly<Record<string, string>>;

/** The headers that prove each kind of caller. */
export interface Callers {
  readonly anonymous: Headers;
  readonly developer: Headers;
  readonly unscoped: Headers;
  readonly session: Headers;
  readonly sessionWithoutCsrf: Headers;
  readonly foreignOrigin: Headers;
  readonly unknownKey: Headers;
  /** A key that runs trusted documents only. */
  readonly limited: Headers;
}

/** Every kind of caller, for one merchant. */
export async function callersOf(server: TestServer, merchant: TestMerchant): Promise<Callers> {
  const session = await server.signIn(merchant.account);
  const { auth: unscoped } = await server.merchant({ scopes: ['receipts:read'] });
  const { wallet, keyId } = merchant;
  const scopes = ['graphql:read', 'receipts:read', 'shop:read'];
  const { key } = await issueKey(server.deps, { merchant: wallet, scopes, label: keyId, trustedOnly: true });
  return {
    anonymous: {},
    developer: merchant.auth,
    unscoped,
    session,
    sessionWithoutCsrf: { cookie: session.cookie as string },
    foreignOrigin: { ...session, origin: 'https://evil.example' },
    unknownKey: { 'Ocp-Apim-Subscription-Key': `qk_${'x'.repeat(43)}` },
    limited: { 'x-api-key': key },
  };
}

const many = (count: number, each: (i: number) => string) => Array.from({ length: count }, (_, i) => each(i)).join(' ');

const OPERATIONS: Readonly<Record<string, Params>> = {
  'a query': { query: '{ receipts { nodes { receiptId } } }' },
  'a public query': { query: '{ siteConfig { brandKey } }' },
  variables: {
    query: 'query R($limit: Int!) { receipts(first: $limit) { nodes { receiptId status } } }',
    variables: { limit: 3 },
  },
  'a variable of the wrong type': {
    query: 'query R($limit: Int!) { receipts(first: $limit) { nodes { receiptId } } }',
    variables: { limit: 'x' },
  },
  'a missing variable': { query: 'query R($limit: Int!) { receipts(first: $limit) { nodes { receiptId } } }' },
  'an operation by name': {
    query: 'query A { receipts { nodes { receiptId } } } query B { shopConfig { name } }',
    operationName: 'B',
  },
  'an unknown operation name': { query: 'query A { receipts { nodes { receiptId } } }', operationName: 'C' },
  'no operation name among several': { query: 'query A { shopConfig { name } } query B { shopConfig { bio } }' },
  'a syntax error': { query: '{ receipts { ' },
  'an empty query': { query: '' },
  'an unknown field': { query: '{ receipts { nodes { nothing } } }' },
  'an unknown record': { query: '{ receipt(receiptId: "R-unknown") { receiptId } }' },
  'data and errors': { query: '{ shopConfig { name } receipt(receiptId: "R-unknown") { receiptId } }' },
  'fragments and aliases': {
    query: '{ a: shopConfig { ...F } b: shopConfig { ...F } } fragment F on ShopConfig { name bio }',
  },
  'only __typename': { query: '{ __typename }' },
  introspection: { query: '{ __schema { queryType { name } } }' },
  'the usual introspection': { query: getIntrospectionQuery() },
  'a mutation': { query: 'mutation { updateShopConfig(input: { bio: "recorded" }) { bio } }' },
  'a mutation with a wrong input': { query: 'mutation { updateShopConfig(input: { slug: "Not a slug!" }) { slug } }' },
  'too many aliases': { query: `{ ${many(60, (i) => `a${i}: shopConfig { name }`)} }` },
  'too many tokens': { query: `{ receipts { nodes { ${many(2_500, () => 'receiptId')} } } }` },
  'too many characters': { query: `{ receipts { nodes { receiptId } } } #${'x'.repeat(30_000)}` },
  'too high a cost': {
    query: `{ ${many(5, (i) => `r${i}: receipts(first: 200) { nodes { history { seq kind status at } lineItems { label } } }`)} }`,
  },
  'too many mutations': {
    query: `mutation { ${many(11, (i) => `m${i}: updateShopConfig(input: { bio: "x" }) { bio }`)} }`,
  },
  'a recursive fragment': { query: '{ ...A } fragment A on Query { ...A }' },
  'a directive': {
    query: 'query D($yes: Boolean!) { shopConfig { name @include(if: $yes) bio @skip(if: $yes) } }',
    variables: { yes: true },
  },
  'a subscription': { query: 'subscription { receiptStatuses { seq } }' },
  'a NUL character': { query: '{ receipt(receiptId: "a\\u0000b") { receiptId } }' },
};

/** The documents that the servers trust, by the names of their files. */
export const TRUSTED: Readonly<Record<string, string>> = {
  Shop: 'query Shop { shopConfig { name bio } }',
  Site: '{ siteConfig { brandKey } }',
  Receipts: 'query Receipts($limit: Int!) { receipts(first: $limit) { nodes { receiptId status } } }',
  SetBio: 'mutation SetBio { updateShopConfig(input: { bio: "recorded" }) { bio } }',
  Follow: 'subscription Follow { receiptStatuses { seq } }',
};

const persisted = (sha256Hash: string) => ({ extensions: { persistedQuery: { version: 1, sha256Hash } } });
const REGISTERED = 'query Registered { shopConfig { slug } }';

/** Requests that name their document. They are sent in this order: the fourth of them finds what the third has sent. */
const NAMED: Readonly<Record<string, Params>> = {
  'a hash that is not known': persisted(sha256('{ receiptsCursor }')),
  'a hash of another query': { query: REGISTERED, ...persisted(sha256('{ receiptsCursor }')) },
  'a query with its hash': { query: REGISTERED, ...persisted(sha256(REGISTERED)) },
  'a hash that is known': persisted(sha256(REGISTERED)),
  'a registered text by its id': { documentId: `sha256:${sha256(REGISTERED)}` },
  'a hash of a trusted document': persisted(sha256(TRUSTED.Shop as string)),
  'another version of the handshake': {
    extensions: { persistedQuery: { version: 2, sha256Hash: sha256(TRUSTED.Shop as string) } },
  },
  'an invalid query with its hash': { query: '{ nothing }', ...persisted(sha256('{ nothing }')) },
  'an id': { documentId: `sha256:${sha256(TRUSTED.Shop as string)}` },
  'a name': { documentId: 'Shop' },
  'a name, with an empty query': { documentId: 'Shop', query: '' },
  'a public document': { documentId: 'Site' },
  'an id with variables': { documentId: 'Receipts', variables: { limit: 2 } },
  'an id with a wrong variable': { documentId: 'Receipts', variables: { limit: 'x' } },
  'an id with its operation': { documentId: 'Shop', operationName: 'Shop' },
  'an id with an unknown operation': { documentId: 'Shop', operationName: 'Other' },
  'an unknown id': { documentId: `sha256:${'0'.repeat(64)}` },
  'an id that is a number': { documentId: 5 },
  'an id beside a query': { documentId: 'Shop', query: '{ shopConfig { name } }' },
  'the id of a mutation': { documentId: 'SetBio' },
  'the id of a subscription': { documentId: 'Follow' },
  'the text of a trusted document': { query: TRUSTED.Shop },
  'another text': { query: '{ shopConfig { slug } }' },
};

const ACCEPTS: readonly (string | null)[] = [
  null,
  '*/*',
  'application/json',
  'application/graphql-response+json',
  'application/graphql-response+json, application/json',
  'application/json, application/graphql-response+json',
  'application/graphql-response+json; charset=utf-8, application/json; charset=utf-8',
  'application/json;q=0.5, application/graphql-response+json;q=0.9',
  'application/graphql-response+json;q=0.1, */*;q=0.8',
  'text/plain, */*;q=0.8',
  'text/plain',
  'application/*',
  'application/json; charset=iso-8859-1',
  'APPLICATION/JSON',
  'image/png, application/json',
  'text/event-stream',
  'text/event-stream, application/json',
  'multipart/mixed',
  ',,',
];

/** Bodies that are no GraphQL request. */
const MALFORMED: Readonly<Record<string, string>> = {
  'an empty body': '',
  'no JSON': '{ receipts }',
  'half a JSON': '{"query": "{ receipts',
  'a text': '"{ receipts { nodes { receiptId } } }"',
  null: 'null',
  'a number': '5',
  'a batch': '[{"query":"{ shopConfig { name } }"},{"query":"{ shopConfig { bio } }"}]',
  'an empty batch': '[]',
  'an empty object': '{}',
  'a query that is a number': '{"query":5}',
  'a query that is null': '{"query":null}',
  'variables that are a text': '{"query":"{ __typename }","variables":"x"}',
  'variables that are a list': '{"query":"{ __typename }","variables":[]}',
  'variables that are null': '{"query":"{ shopConfig { name } }","variables":null}',
  'an operation name that is a number': '{"query":"{ __typename }","operationName":5}',
  'an operation name that is null': '{"query":"{ shopConfig { name } }","operationName":null}',
  'an empty operation name': '{"query":"{ shopConfig { name } }","operationName":""}',
  'extensions that are a text': '{"query":"{ __typename }","extensions":"x"}',
  extensions: '{"query":"{ shopConfig { name } }","extensions":{"a":1}}',
  'a persisted query': '{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"ab"}}}',
  'an unknown parameter': '{"query":"{ shopConfig { name } }","doc_id":"1"}',
  'the key __proto__': '{"query":"{ __typename }","__proto__":{"a":1}}',
};

const MEDIA_TYPES = [
  'application/json; charset=utf-8',
  'application/graphql',
  'application/graphql+json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=b',
  'text/plain',
  'application/xml',
] as const;

/** Query strings that are no GraphQL request, or an unusual one. */
const QUERY_STRINGS = [
  '',
  '?',
  '?query=',
  '?query={__typename}&variables=x',
  '?query={__typename}&variables=[]',
  '?query={__typename}&variables=null',
  '?query=%7BshopConfig%7Bname%7D%7D&variables=',
  '?query={shopConfig{name}}&extensions=x',
  '?query={shopConfig{name}}&operationName=',
  '?query={shopConfig{name}}&operationName=A',
  '?query={shopConfig{name}}&query={shopConfig{bio}}',
  '?QUERY={shopConfig{name}}',
  '?query=%E0%A4%A',
] as const;

/** Every request of the collection, for these callers. All are different. */
export function recordedRequests(callers: Callers): readonly Recorded[] {
  const made: Recorded[] = [];
  const add = (name: string, request: Partial<Recorded>) =>
    made.push({ name, method: 'POST', query: '', headers: {}, body: null, ...request });
  const json = { 'content-type': 'application/json' };
  const accepting = (accept: string | null): Headers => (accept === null ? {} : { accept });

  for (const [name, operation] of Object.entries(OPERATIONS)) {
    const body = JSON.stringify(operation);
    for (const kind of ['anonymous', 'developer', 'session'] as const) {
      add(`POST: ${name}, ${kind}`, { headers: { ...json, ...callers[kind] }, body });
      if (body.length < 8_000)
        add(`GET: ${name}, ${kind}`, { method: 'GET', query: inUrl(operation), headers: callers[kind] });
    }
  }
  for (const [name, params] of Object.entries(NAMED)) {
    for (const kind of ['anonymous', 'developer', 'limited', 'session', 'unscoped'] as const) {
      add(`POST: ${name}, ${kind}`, { headers: { ...json, ...callers[kind] }, body: JSON.stringify(params) });
      add(`GET: ${name}, ${kind}`, { method: 'GET', query: inUrl(params), headers: callers[kind] });
    }
  }
  for (const accept of ACCEPTS) {
    const headers = { ...callers.developer, ...accepting(accept) };
    add(`GET: a name, Accept: ${accept}`, { method: 'GET', query: '?documentId=Shop', headers });
    add(`POST: an unknown id, Accept: ${accept}`, { headers: { ...json, ...headers }, body: '{"documentId":"None"}' });
  }
  for (const name of ['a query', 'a syntax error', 'data and errors', 'too high a cost'] as const) {
    const headers = { ...json, ...callers.developer, 'x-graphql-cost': '1' };
    add(`POST: ${name}, with its cost`, { headers, body: JSON.stringify(OPERATIONS[name]) });
  }
  const varied = ['a query', 'a syntax error', 'data and errors', 'a mutation', 'a missing variable'] as const;
  for (const accept of ACCEPTS) {
    for (const name of varied) {
      const kind = name === 'a mutation' ? 'session' : 'developer';
      const headers = { ...json, ...callers[kind], ...accepting(accept) };
      add(`POST: ${name}, Accept: ${accept}`, { headers, body: JSON.stringify(OPERATIONS[name]) });
    }
    const query = inUrl(OPERATIONS['a query'] as Params);
    add(`GET: a query, Accept: ${accept}`, {
      method: 'GET',
      query,
      headers: { ...callers.developer, ...accepting(accept) },
    });
    add(`GET: no query, Accept: ${accept}`, { method: 'GET', headers: { ...callers.developer, ...accepting(accept) } });
    const anonymous = { ...json, ...accepting(accept) };
    add(`POST: anonymous, Accept: ${accept}`, { headers: anonymous, body: JSON.stringify(OPERATIONS['a query']) });
  }
  for (const [name, body] of Object.entries(MALFORMED)) {
    add(`POST: ${name}`, { headers: { ...json, ...callers.developer }, body });
    add(`POST: ${name}, anonymous`, { headers: json, body });
    const strict = { ...json, ...callers.developer, accept: 'application/graphql-response+json' };
    add(`POST: ${name}, application/graphql-response+json`, { headers: strict, body });
  }
  for (const query of QUERY_STRINGS) {
    add(`GET ${query}`, { method: 'GET', query, headers: callers.developer });
    add(`GET ${query}, anonymous`, { method: 'GET', query });
    add(`POST ${query} without a body`, { query, headers: { ...json, ...callers.developer } });
  }
  for (const type of MEDIA_TYPES) {
    const body = JSON.stringify(OPERATIONS['a query']);
    add(`POST as ${type}`, { headers: { ...callers.developer, 'content-type': type }, body });
  }
  for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'])
    add(method, { method, query: inUrl(OPERATIONS['a query'] as Params), headers: callers.developer });
  for (const kind of ['unscoped', 'sessionWithoutCsrf', 'foreignOrigin', 'unknownKey'] as const) {
    for (const name of ['a query', 'a mutation', 'a syntax error', 'introspection'] as const)
      add(`POST: ${name}, ${kind}`, { headers: { ...json, ...callers[kind] }, body: JSON.stringify(OPERATIONS[name]) });
  }
  for (const type of ['application/json', 'text/event-stream'])
    add(`a body that is too large, Accept: ${type}`, {
      headers: { ...json, ...callers.developer, accept: type },
      body: JSON.stringify({ query: `{ receipts { nodes { receiptId } } } #${'x'.repeat(1_100_000)}` }),
    });
  return made;
}

/** The operation as GET sends it. */
function inUrl(operation: Params): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(operation))
    search.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  return `?${search}`;
}
