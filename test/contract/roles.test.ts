import {
  type GraphQLField,
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  isRequiredInputField,
  type OperationTypeNode,
} from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Guards } from '../../src/base/core/caller.ts';
import { type MemberRole, type Permission, ROLE_NAMES, ROLES_WITH } from '../../src/base/core/roles.ts';
import { schema } from '../../src/doors/http/server/schema.ts';
import { permissionOf } from '../../src/doors/rest/access.ts';
import { isRetired } from '../../src/doors/rest/routes/route.ts';
import { routes } from '../../src/doors/rest/routes.ts';
import { newMember, type TestMember } from '../support/members.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';

let server: TestServer;
let merchant: TestMerchant;
const members = {} as Record<MemberRole, TestMember>;
beforeAll(async () => {
  server = await startTestServer();
  merchant = await server.merchant();
  for (const role of ROLE_NAMES) members[role] = await newMember(server, merchant.wallet, role);
});
afterAll(() => server.stop());

const graphql = (query: string, headers: Record<string, string>, variables: object = {}) =>
  server.call('POST', '/api/graphql', { headers, body: { query, variables } });

const guardsOf = (field: GraphQLField<unknown, unknown>) =>
  (field.extensions.pothosOptions as { authScopes: Guards }).authScopes;

interface Walked {
  readonly operation: `${OperationTypeNode}`;
  readonly field: GraphQLField<unknown, unknown>;
  readonly permission: Permission;
}

const guarded: Walked[] = (['query', 'mutation'] as const).flatMap((operation) =>
  Object.values(schema.getRootType(operation as OperationTypeNode)?.getFields() ?? {}).flatMap((field) => {
    const permission = guardsOf(field).may ?? guardsOf(field).mayWrite ?? guardsOf(field).maySign;
    return permission ? [{ operation, field, permission }] : [];
  }),
);

/** The least that a field needs to run: its required arguments, and an id of what it returns. */
function documentOf({ operation, field }: Walked): string {
  const args = field.args.filter(isRequiredArgument).map(({ name, type }) => `${name}: ${literalOf(type)}`);
  const selection = isLeafType(getNamedType(field.type)) ? '' : '{ __typename }';
  return `${operation} { ${field.name}${args.length > 0 ? `(${args.join(', ')})` : ''} ${selection} }`;
}

const SCALARS: Readonly<Record<string, string>> = {
  Wallet: `"0x${'ab'.repeat(20)}"`,
  Hex: `"0x${'ab'.repeat(32)}"`,
  Boolean: 'false',
  String: '"none"',
  ID: '"none"',
  JSON: '{}',
  BaseUnits: '"1"',
};

function literalOf(type: GraphQLInputType): string {
  if (isNonNullType(type)) return literalOf(type.ofType);
  if (isListType(type)) return `[${literalOf(type.ofType)}]`;
  if (isEnumType(type)) return type.getValues()[0]!.name;
  if (!isInputObjectType(type)) return SCALARS[type.name] ?? '1';
  const fields = Object.values(type.getFields());
  const needed = type.isOneOf ? fields.slice(0, 1) : fields.filter(isRequiredInputField);
  return `{ ${needed.map((field) => `${field.name}: ${literalOf(field.type)}`).join(', ')} }`;
}

test('over GraphQL each role opens the fields of its permissions, and names the permission that another one needs', async () => {
  expect(guarded.length).toBeGreaterThan(50);
  for (const role of ROLE_NAMES) {
    for (const walked of guarded) {
      const { field, permission } = walked;
      const { body } = await graphql(documentOf(walked), members[role].session);
      const { reason, permission: missing } = body.errors?.[0]?.extensions ?? {};
      const refused = reason === 'role_missing' && missing === permission;
      const what = `${role} ${field.name}: ${JSON.stringify(body.errors?.[0])}`;
      expect([what, refused]).toEqual([what, !ROLES_WITH[permission].includes(role)]);
    }
  }
});

test('over REST each role opens the routes of its permissions', async () => {
  for (const row of routes) {
    const permission = isRetired(row) ? null : permissionOf(schema, row);
    if (permission === null) continue;
    for (const role of ROLE_NAMES) {
      const path = row.path.replace(':id', 'R-none');
      const body = row.method === 'GET' ? undefined : {};
      const answer = await server.call(row.method, path, { headers: members[role].session, body });
      const refused = answer.status === 403 && answer.body.reason === 'role_missing';
      const what = `${role} ${row.method} ${row.path}: ${answer.status} ${JSON.stringify(answer.body)}`;
      expect([what, refused]).toEqual([what, !ROLES_WITH[permission].includes(role)]);
      if (refused) expect(answer.body.permission).toBe(permission);
    }
  }
});

test('every guard for members names a permission; the service’s status, one’s own mail and leaving are open to every role', () => {
  const open = (['query', 'mutation', 'subscription'] as const).flatMap((operation) =>
    Object.values(schema.getRootType(operation as OperationTypeNode)?.getFields() ?? {}).filter((field) => {
      const { member, memberWrite } = guardsOf(field);
      return member || memberWrite;
    }),
  );
  const ofMail = ['mailPreference', 'mail', 'setMailPreference', 'sendTestMail'];
  expect(open.map(({ name }) => name).toSorted()).toEqual(['statusPing', 'leaveMerchant', ...ofMail].toSorted());
});

const CREATE = `mutation($amountUsd: Usd!) { createTerminalReceipt(input: { amountUsd: $amountUsd }) { receiptId } }`;
const idsOf = (body: { data: { receipts: { nodes: { receiptId: string }[] } } }) =>
  body.data.receipts.nodes.map(({ receiptId }) => receiptId);

test('a cashier reads the receipts that it created, and no other one by id, list, search, stream, export or sums', async () => {
  const other = await newMember(server, merchant.wallet, 'cashier');
  const { session } = members.cashier;
  const created = async (headers: Record<string, string>, amountUsd: number): Promise<string> =>
    (await graphql(CREATE, headers, { amountUsd })).body.data.createTerminalReceipt.receiptId;
  const own = [await created(session, 1), await created(session, 2)];
  const foreign = [await created(other.session, 3), await created(members.owner.session, 4)];

  const list = '{ receipts { nodes { receiptId totalUsd history { seq } refunds { usd } } totalCount } }';
  const listed = (await graphql(list, session)).body;
  expect(listed.errors).toBeUndefined();
  expect([idsOf(listed).sort(), listed.data.receipts.totalCount]).toEqual([own.toSorted(), 2]);
  const paged = (await graphql('{ receipts(first: 1) { nodes { receiptId } pageInfo { endCursor } } }', session)).body;
  const { endCursor } = paged.data.receipts.pageInfo;
  const next = await graphql(`{ receipts(after: "${endCursor}") { nodes { receiptId } } }`, session);
  expect([...idsOf(paged), ...idsOf(next.body)].sort()).toEqual(own.toSorted());
  const rest = await server.call('GET', '/api/receipts', { headers: session });
  expect(rest.body.receipts.map(({ receiptId }: { receiptId: string }) => receiptId).sort()).toEqual(own.toSorted());

  const byId = async (id: string) => {
    const queries = ['receipt', 'receiptStatusReport', 'checkPayment'].map((field) =>
      graphql(`{ ${field}(receiptId: "${id}") { receiptId } }`, session),
    );
    const codes = (await Promise.all(queries)).map(({ body }) => body.errors?.[0]?.extensions.code ?? null);
    const path = `/api/receipts/status?receiptId=${id}`;
    const statuses = await Promise.all(
      [`/api/receipts/${id}`, path, `/api/terminal/check-payment?receiptId=${id}`].map((route) =>
        server.call('GET', route, { headers: session }),
      ),
    );
    return [...codes, ...statuses.map(({ status }) => status)];
  };
  for (const id of own) expect(await byId(id)).toEqual([null, null, null, 200, 200, 200]);
  const hidden = ['not_found', 'not_found', 'not_found', 404, 404, 404];
  for (const id of foreign) expect(await byId(id)).toEqual(hidden);

  for (const refused of [
    '{ receipts(filter: { q: "1" }) { nodes { receiptId } } }',
    '{ receipts(orderBy: { field: totalUsd }) { nodes { receiptId } } }',
    '{ receiptsCursor }',
    '{ refunds { nodes { usd } } }',
    '{ refundDraft(receiptId: "R-1", usd: 1) { buyer } }',
    '{ refundDrafts(receiptId: "R-1", usd: 1) { buyer } }',
    '{ unmatchedTransfers { nodes { transactionHash } } }',
    '{ webhookDeliveries { nodes { id } } }',
    '{ events { nextCursor } }',
    `{ subscriptions(merchant: "${merchant.wallet}") { nodes { subscriptionId } } }`,
  ]) {
    const { body } = await graphql(refused, session);
    expect([refused, body.errors?.[0]?.extensions?.code ?? body]).toEqual([refused, 'forbidden']);
  }
});

test('the Idempotency-Key of a cashier is its own', async () => {
  const other = await newMember(server, merchant.wallet, 'cashier');
  const repeat = async ({ session }: TestMember): Promise<string> => {
    const once = 'mutation { createTerminalReceipt(idempotencyKey: "till-1", input: { amountUsd: 5 }) { receiptId } }';
    return (await graphql(once, session)).body.data.createTerminalReceipt.receiptId;
  };
  const first = await repeat(members.cashier);
  expect(await repeat(members.cashier)).toBe(first);
  expect(await repeat(other)).not.toBe(first);
});
