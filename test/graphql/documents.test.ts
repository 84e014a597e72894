import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createExecutor } from '../../src/base/graphql/execute.ts';
import { loadDocuments } from '../../src/base/graphql/trusted-documents.ts';
import { ConfigFaults } from '../../src/base/platform/config/faults.ts';
import { sha256 } from '../../src/base/platform/secrets.ts';
import { rotateKey } from '../../src/domain/access/keys/change-keys.ts';
import { issueKey } from '../../src/domain/access/keys/issue.ts';
import { listKeys } from '../../src/domain/access/keys/list.ts';
import { schema } from '../../src/doors/http/server/schema.ts';
import { makeReceipt } from '../support/receipt.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { codeOf, follow, socketClient } from './ask.ts';

const SHOP = 'query Shop {\n  shopConfig { name bio }\n}\n';
const FOLLOW = 'subscription Follow($id: ID!) { receiptStatus(receiptId: $id) { seq } }';
const SET_BIO = 'mutation SetBio($bio: String!) { updateShopConfig(input: { bio: $bio }) { bio } }';
const SITE = '{ siteConfig { brandKey } }';

const folder = mkdtempSync(join(tmpdir(), 'quittance-documents-'));
let server: TestServer;
let merchant: TestMerchant;
let limited: Record<string, string>;
beforeAll(async () => {
  for (const [name, text] of Object.entries({ SHOP, FOLLOW, SET_BIO, SITE }))
    writeFileSync(join(folder, `${name}.graphql`), text);
  server = await startTestServer({ env: { TRUSTED_DOCUMENTS: folder } });
  merchant = await server.merchant();
  const { key } = await issueKey(server.deps, {
    merchant: merchant.wallet,
    scopes: ['graphql:read', 'receipts:read', 'shop:read', 'inventory:read'],
    trustedOnly: true,
  });
  limited = { 'x-api-key': key };
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

type Headers = Record<string, string>;

const post = (headers: Headers, body: object) => server.call('POST', '/api/graphql', { headers, body });
const get = (headers: Headers, params: Record<string, string>) =>
  server.call('GET', `/api/graphql?${new URLSearchParams(params)}`, { headers });
const idOf = (text: string) => `sha256:${sha256(text)}`;
const hashed = (text: string) => ({ persistedQuery: { version: 1, sha256Hash: sha256(text) } });
const reasonOf = ({ body }: { body: { errors: { extensions: { reason?: string } }[] } }) =>
  body.errors[0]?.extensions.reason;

describe('trusted documents', () => {
  test('run by their id, by POST and by GET, with and without the newline at the end of the file', async () => {
    for (const documentId of [idOf(SHOP), idOf(SHOP.trimEnd()), 'SHOP']) {
      const posted = await post(merchant.auth, { documentId });
      expect([posted.status, posted.body]).toEqual([200, { data: { shopConfig: { name: null, bio: null } } }]);
      expect((await get(merchant.auth, { documentId })).body).toEqual(posted.body);
    }
    expect((await get({}, { documentId: 'SITE' })).status).toBe(200);
    expect((await post({}, { documentId: 'SHOP' })).status).toBe(401);
  });

  test('an unknown id is a GraphQL error of its own, and so is an id beside a query', async () => {
    for (const accept of ['application/json', 'application/graphql-response+json']) {
      const unknown = await post({ ...merchant.auth, accept }, { documentId: idOf('{ none }') });
      expect([unknown.status, codeOf(unknown)]).toEqual([
        accept === 'application/json' ? 200 : 400,
        'document_not_found',
      ]);
      expect(Object.keys(unknown.body)).toEqual(['errors']);
      expect(unknown.body.errors).toHaveLength(1);
    }
    const both = await post(merchant.auth, { documentId: 'SHOP', query: SHOP });
    expect([both.status, codeOf(both), both.body.field]).toEqual([400, 'invalid_input', 'documentId']);
    const malformed = await post(merchant.auth, { documentId: 5 });
    expect([malformed.status, codeOf(malformed)]).toEqual([400, 'invalid_input']);
  });

  test('a mutation runs by its id with POST and a session only', async () => {
    const session = await server.signIn(merchant.account);
    const variables = { bio: 'by id' };
    const byGet = await get(session, { documentId: 'SET_BIO', variables: JSON.stringify(variables) });
    expect([byGet.status, byGet.headers.get('allow'), codeOf(byGet)]).toEqual([405, 'POST', 'method_not_allowed']);
    expect(reasonOf(await post(merchant.auth, { documentId: 'SET_BIO', variables }))).toBe('session_required');
    const written = await post(session, { documentId: 'SET_BIO', variables });
    expect(written.body.data.updateShopConfig.bio).toBe('by id');
  });

  test('by GET have an ETag: 304 while the answer is the same, checked against the database and the caller', async () => {
    const session = await server.signIn(merchant.account);
    const first = await get(merchant.auth, { documentId: 'SHOP' });
    const etag = first.headers.get('etag') as string;
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    expect(first.headers.get('vary')).toContain('Ocp-Apim-Subscription-Key');
    const again = () => get({ ...merchant.auth, 'if-none-match': `"other", W/${etag}` }, { documentId: 'SHOP' });
    const same = await again();
    expect([same.status, same.headers.get('etag'), same.body]).toEqual([304, etag, '']);
    expect((await get({ 'if-none-match': etag }, { documentId: 'SHOP' })).status).toBe(401);
    await post(session, { documentId: 'SET_BIO', variables: { bio: `changed ${etag}` } });
    const changed = await again();
    expect([changed.status, changed.body.data.shopConfig.bio]).toEqual([200, `changed ${etag}`]);
    expect(changed.headers.get('etag')).not.toBe(etag);
    const plain = await get(merchant.auth, { query: SHOP });
    expect([plain.headers.get('etag'), plain.headers.get('cache-control')]).toEqual([null, 'no-store']);
    expect((await post(merchant.auth, { documentId: 'SHOP' })).headers.get('etag')).toBeNull();
  });
});

describe('automatic persisted queries', () => {
  const TEXT = 'query Own { shopConfig { slug } }';

  test('are registered with their hash, then run by it, for the same merchant only', async () => {
    const unknown = await post(merchant.auth, { extensions: hashed(TEXT) });
    expect([unknown.status, unknown.body.errors[0].message, codeOf(unknown)]).toEqual([
      200,
      'PersistedQueryNotFound',
      'PERSISTED_QUERY_NOT_FOUND',
    ]);
    const sent = await post(merchant.auth, { query: TEXT, extensions: hashed(TEXT) });
    expect(sent.body).toEqual({ data: { shopConfig: { slug: null } } });
    expect((await post(merchant.auth, { extensions: hashed(TEXT) })).body).toEqual(sent.body);
    const byGet = await get(merchant.auth, { extensions: JSON.stringify(hashed(TEXT)) });
    expect([byGet.body, byGet.headers.get('etag')]).toEqual([sent.body, expect.any(String)]);
    const session = await server.signIn(merchant.account);
    expect((await post(session, { documentId: idOf(TEXT) })).body).toEqual(sent.body);
    const other = await server.merchant();
    expect(codeOf(await post(other.auth, { extensions: hashed(TEXT) }))).toBe('PERSISTED_QUERY_NOT_FOUND');
  });

  test('a wrong hash, an invalid text and a caller without rights register nothing', async () => {
    const wrong = await post(merchant.auth, { query: SITE, extensions: hashed('{ other }') });
    expect([wrong.status, codeOf(wrong), wrong.body.field]).toEqual([
      400,
      'invalid_input',
      'extensions.persistedQuery.sha256Hash',
    ]);
    const invalid = '{ nothing }';
    expect(codeOf(await post(merchant.auth, { query: invalid, extensions: hashed(invalid) }))).toBe('invalid_input');
    expect(codeOf(await post(merchant.auth, { extensions: hashed(invalid) }))).toBe('PERSISTED_QUERY_NOT_FOUND');
    const { auth } = await server.merchant({ scopes: ['shop:read'] });
    expect((await post(auth, { query: TEXT, extensions: hashed(TEXT) })).status).toBe(403);
  });

  test('a stranger registers nothing, and is asked for the text', async () => {
    const sent = await post({}, { query: SITE, extensions: hashed(SITE) });
    expect(sent.status).toBe(200);
    const own = '{ siteConfig { processingFeePct } }';
    expect((await post({}, { query: own, extensions: hashed(own) })).status).toBe(200);
    const unknown = await post({}, { extensions: hashed(own) });
    expect([unknown.body.errors[0].message, codeOf(unknown)]).toEqual([
      'PersistedQueryNotSupported',
      'PERSISTED_QUERY_NOT_SUPPORTED',
    ]);
  });

  test('many texts of one merchant evict none of another', async () => {
    const other = await server.merchant();
    await post(other.auth, { query: TEXT, extensions: hashed(TEXT) });
    const text = (i: number) => `query Q${i} { siteConfig { brandKey } }`;
    for (let i = 0; i < 210; i++) await post(merchant.auth, { query: text(i), extensions: hashed(text(i)) });
    expect(codeOf(await post(merchant.auth, { extensions: hashed(text(0)) }))).toBe('PERSISTED_QUERY_NOT_FOUND');
    expect((await post(merchant.auth, { extensions: hashed(text(209)) })).body.data).toBeDefined();
    expect((await post(other.auth, { extensions: hashed(TEXT) })).body.data).toBeDefined();
  });
});

describe('a key for trusted documents only', () => {
  test('runs them by id, hash or text, and is refused with a reason for any other text, by POST and GET', async () => {
    for (const body of [{ documentId: 'SHOP' }, { extensions: hashed(SHOP) }, { query: SHOP }])
      expect((await post(limited, body)).body.data.shopConfig.name).toBeNull();
    const other = '{ shopConfig { slug } }';
    for (const body of [{ query: other }, { query: other, extensions: hashed(other) }, { extensions: hashed(other) }]) {
      const refused = await post(limited, body);
      expect([refused.status, codeOf(refused), reasonOf(refused)]).toEqual([
        403,
        'forbidden',
        'trusted_document_required',
      ]);
    }
    expect(reasonOf(await get(limited, { query: other }))).toBe('trusted_document_required');
    expect(reasonOf(await get(limited, { query: '{ __schema { queryType { name } } }' }))).toBe(
      'trusted_document_required',
    );
    await post(merchant.auth, { query: other, extensions: hashed(other) });
    expect(codeOf(await post(limited, { documentId: idOf(other) }))).toBe('document_not_found');
  });

  test('is refused the same over event streams and websockets', async () => {
    const id = await makeReceipt(server, merchant);
    const accept = 'text/event-stream';
    const other = 'subscription { receiptStatuses { seq } }';
    expect(reasonOf(await post({ ...limited, accept }, { query: other }))).toBe('trusted_document_required');
    const abort = new AbortController();
    const stream = await fetch(
      `${server.url}/api/graphql?documentId=FOLLOW&variables=${encodeURIComponent(JSON.stringify({ id }))}`,
      { headers: { ...limited, accept }, signal: abort.signal },
    );
    expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    abort.abort();

    const client = socketClient(server, limited);
    const fault = (await follow(client, other)
      .next()
      .catch((error) => error)) as { errors: { extensions: object }[] };
    expect(fault.errors[0]?.extensions).toMatchObject({ code: 'forbidden', reason: 'trusted_document_required' });
    expect(await follow(client, FOLLOW, { id }).next()).toEqual({ receiptStatus: { seq: 1 } });
    const named = client.iterate({ query: '', variables: { id }, extensions: hashed(FOLLOW) });
    expect((await named.next()).value.data).toEqual({ receiptStatus: { seq: 1 } });
    const byId = client.iterate({ query: '', variables: { id }, documentId: 'FOLLOW' } as never);
    expect((await byId.next()).value.data).toEqual({ receiptStatus: { seq: 1 } });
    await client.dispose();
  });

  test('runs no other operation by a name that continues into the text of the document', async () => {
    const other = 'query Other { receipts { nodes { receiptId } } }';
    // Anyone may have both together parsed.
    expect((await post({}, { query: `${other}\n${SHOP}`, operationName: 'Other' })).status).toBe(401);
    const answer = await post(limited, { documentId: 'SHOP', operationName: `Other\n${other}` });
    expect([answer.body.data, codeOf(answer)]).toEqual([undefined, 'invalid_input']);
  });

  test('calls REST by its scopes, keeps the limit when it is rotated, and shows it in the list', async () => {
    expect((await server.call('GET', '/api/inventory', { headers: limited })).status).toBe(200);
    const keys = await listKeys(server.deps.db, merchant.wallet);
    const { id } = keys.find(({ trustedOnly }) => trustedOnly) as { id: string };
    const { key } = await rotateKey(server.deps, { id });
    const refused = await post({ 'x-api-key': key }, { query: '{ shopConfig { slug } }' });
    expect(reasonOf(refused)).toBe('trusted_document_required');
  });
});

describe('the documents of TRUSTED_DOCUMENTS', () => {
  const executor = createExecutor(schema);
  const manifest = (content: unknown) => {
    const path = join(folder, 'manifest.json');
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };
  const faultOf = (path: string): string => {
    try {
      loadDocuments(path, executor);
    } catch (error) {
      if (error instanceof ConfigFaults) return error.message;
    }
    return 'no fault';
  };

  test('are read from a map of texts by id, and from Apollo’s form', () => {
    const map = loadDocuments(manifest({ [idOf(SITE)]: SITE, site: SITE }), executor);
    expect([map.textOf(idOf(SITE)), map.textOf('site'), map.has(SITE)]).toEqual([SITE, SITE, true]);
    const operations = [{ id: sha256(SITE), name: 'Site', type: 'query', body: SITE }];
    const apollo = loadDocuments(
      manifest({ format: 'apollo-persisted-query-manifest', version: 1, operations }),
      executor,
    );
    expect([apollo.textOf(sha256(SITE)), apollo.textOf(idOf(SITE))]).toEqual([SITE, SITE]);
  });

  test('stop the start with a message that names the document', async () => {
    const cases: [unknown, string][] = [
      ['{', 'is not a JSON object of texts by id'],
      [[], 'is not a JSON object of texts by id'],
      [{}, 'contains no document'],
      [{ a: 5 }, 'a is not the id of a text'],
      [{ a: '{ nothing }' }, 'a: line 1, column 3: Cannot query field "nothing"'],
      [{ a: '{ ' }, 'a: line 1, column 3: Syntax Error'],
      [{ a: 'fragment F on Query { __typename }' }, 'a: contains no operation'],
      [{ [idOf('{ other }')]: SITE }, 'is not its id'],
      [{ 'md5:a': SITE }, 'is not its id'],
      [{ a: `{ ${'a: siteConfig { brandKey } '.repeat(40)} }` }, 'aliases'],
    ];
    for (const [content, message] of cases) expect(faultOf(manifest(content))).toContain(message);
    expect(faultOf(manifest({ a: '{ nothing }' }))).toMatch(/^TRUSTED_DOCUMENTS: .* \(for example TRUSTED_DOCUMENTS=/);
    const start = startTestServer({ env: { TRUSTED_DOCUMENTS: manifest({ a: '{ nothing }' }) } });
    await expect(start).rejects.toThrow('Cannot query field "nothing"');
    await expect(startTestServer({ env: { TRUSTED_DOCUMENTS: join(folder, 'missing') } })).rejects.toThrow(
      'must name a folder or a file that can be read',
    );
  });
});
