import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { runStatement, statement } from '../../../../test/support/statement.ts';
import { merchantDeps, walletOf } from '../../../domain/shop/merchants/test/deps.ts';
import { admin } from '../../../domain/shop/merchants/test/graphql.ts';
import { writeShop } from '../../../domain/shop/merchants/test/requests.ts';
import { originOf } from '../../core/origin.ts';
import type { Wallet } from '../../core/wallet.ts';
import type { UnitOfWork } from '../../platform/unit-of-work.ts';
import { AUDIT_ACTIONS } from './actions.ts';
import { canonical, digestOfPersonal, FIRST_HASH, hashOf } from './canonical.ts';
import { eraseAuditPersonal, eraseEntriesNaming } from './erase.ts';
import { changedFields, withoutPersonal, withPersonal } from './fields.ts';
import { logAuditHeads } from './log-heads.ts';
import { type AuditFilter, followAudit, listAudit } from './read-log.ts';
import { recordAudit } from './record.ts';
import { entryWithHash, verifyChains } from './verify.ts';

const deps = merchantDeps();

const ANY: AuditFilter = { actions: null, actor: null, objectType: null, objectId: null, from: null, to: null };
const entriesOf = async (merchant: Wallet, filter: Partial<AuditFilter> = {}) =>
  (await listAudit(deps.db, merchant, { ...ANY, ...filter }, 'asc').read({ limit: 200 })).map(({ row }) => row);
const chainOf = async (merchant: Wallet) => (await verifyChains(deps.db, merchant))[0]!;

const origin = originOf(admin(walletOf('a')), { address: '203.0.113.9', userAgent: 'Browser/1' });
const rename = (merchant: Wallet, name: string) => writeShop({ ...deps, origin }, merchant, { name });

/** Changes rows of a chain behind the back of the server. */
const tamper = (change: string, merchant: Wallet) =>
  runStatement(deps.db, statement(`tamper-${Math.random()}`, change), [merchant]);

describe('a change', () => {
  test('is recorded with its author, its object, what differs, and where it came from', async () => {
    const merchant = await deps.merchant();
    await rename(merchant, 'Bakery');
    await writeShop({ ...deps, origin }, merchant, { name: 'Bakery', theme: { primaryColor: '#112233' } });
    const [registered, named, coloured] = await entriesOf(merchant);
    expect(registered).toMatchObject({ position: 1, action: 'merchant.registered', actor: 'server', before: null });
    expect(registered!.previousHash).toBe(FIRST_HASH);
    expect(named).toMatchObject({
      position: 2,
      action: 'shop.changed',
      actor: `wallet:${walletOf('a')}`,
      objectType: 'shop',
      objectId: merchant,
      before: { name: null },
      after: { name: 'Bakery' },
      previousHash: registered!.hash,
      personal: { address: '203.0.113.9', userAgent: 'Browser/1' },
    });
    expect(coloured).toMatchObject({
      before: { 'theme.primaryColor': null },
      after: { 'theme.primaryColor': '#112233' },
    });
  });

  test('that changes nothing, and one that is refused or rolled back, is not recorded', async () => {
    const merchant = await deps.merchant();
    await rename(merchant, 'Bakery');
    await rename(merchant, 'Bakery');
    const failed = deps.db.transaction(async (uow) => {
      await recordAudit({ ...deps, origin }, uow, merchant, 'plan.created', ['plan', 'p'], { after: { name: 'x' } });
      throw new Error('rolled back');
    });
    await expect(failed).rejects.toThrow('rolled back');
    expect((await entriesOf(merchant)).map(({ position }) => position)).toEqual([1, 2]);
    await rename(merchant, 'Baker');
    expect((await entriesOf(merchant)).map(({ position }) => position)).toEqual([1, 2, 3]);
  });

  test('never shows a secret, whatever is passed, and shortens long texts', () => {
    const after = {
      secret: 's',
      sealedSecret: 's',
      webhookSecret: 's',
      digest: 'd',
      key: 'qk_1',
      password: 'p',
      draftToken: 't',
      url: 'u',
    };
    expect(changedFields(null, { ...after, nested: { secret: 's', kept: 1 } })).toEqual({
      before: null,
      after: { url: 'u', nested: { kept: 1 } },
    });
    expect(canonical({ b: [1, { d: null, c: 'é' }], a: undefined })).toBe('{"b":[1,{"c":"é","d":null}]}');
  });

  test('of a choice of tokens names the tokens', () => {
    const [usdc, usdt] = ['USDC', 'USDT'].map((token) => ({ paymentTokens: [{ chainId: 1, token }], token }));
    expect(changedFields(usdc!, usdt!)).toEqual({ before: usdc, after: usdt });
  });

  test('shows a text as it was given, also one in the form of a stand-in', () => {
    const given = { label: `personal:${'0'.repeat(64)}` };
    const values = {};
    expect(withPersonal(withoutPersonal(given, 'salt', values), values)).toEqual(given);
  });

  test('is found by its action, author, object and time', async () => {
    const merchant = await deps.merchant();
    await rename(merchant, 'One');
    deps.now.ms += 1_000;
    const at = deps.now.ms;
    await rename(merchant, 'Two');
    const found = async (filter: Partial<AuditFilter>) =>
      (await entriesOf(merchant, filter)).map(({ position }) => position);
    expect(await found({ actions: ['shop.changed'] })).toEqual([2, 3]);
    expect(await found({ actor: 'server' })).toEqual([1]);
    expect(await found({ objectType: 'shop', objectId: merchant })).toEqual([2, 3]);
    expect(await found({ from: at })).toEqual([3]);
    expect(await found({ to: at - 1 })).toEqual([1, 2]);
    expect(await entriesOf(walletOf('9'))).toEqual([]);
  });
});

describe('the chain of a merchant', () => {
  test('has no gap and stays valid when many changes are made at once', async () => {
    const merchant = await deps.merchant();
    const record = (n: number) =>
      deps.db
        .transaction(async (uow) => {
          await recordAudit({ ...deps, origin }, uow, merchant, 'plan.created', ['plan', String(n)], { after: { n } });
          if (n % 5 === 0) throw new Error('rolled back');
        })
        .catch(() => {});
    await Promise.all(Array.from({ length: 40 }, (_, n) => record(n)));
    const entries = await entriesOf(merchant);
    expect(entries.map(({ position }) => position)).toEqual(Array.from({ length: 33 }, (_, i) => i + 1));
    expect(await chainOf(merchant)).toMatchObject({ entries: 33, broken: null });
  });

  test('is streamed in its order, also if the transactions of two entries began in the other', async () => {
    const merchant = await deps.merchant();
    const record = (uow: UnitOfWork, id: string) =>
      recordAudit({ ...deps, origin }, uow, merchant, 'plan.created', ['plan', id], { after: { id } });
    await deps.db.transaction(async (older) => {
      await sql`select pg_current_xact_id()`.execute(older.db);
      await deps.db.transaction((newer) => record(newer, 'newer'));
      await record(older, 'older');
    });
    const entries = await entriesOf(merchant);
    const streamed = async (after: string | null) => {
      const source = await followAudit(deps.db, deps.bus, merchant, after);
      const { events } = await source.read();
      source.close();
      return events.map(({ objectId }) => objectId);
    };
    expect(await streamed(entries[0]!.cursor)).toEqual(['newer', 'older']);
    expect(await streamed(entries[1]!.cursor)).toEqual(['older']);
    expect(await streamed(entries[2]!.cursor)).toEqual([]);
    expect(await streamed(null)).toEqual([]);
  });

  test.each([
    ['a changed field', `update audit_entries set after = '{"name": "Other"}' where merchant = $1 and position = 2`, 2],
    ['another author', `update audit_entries set actor = 'server' where merchant = $1 and position = 3`, 3],
    ['another time', 'update audit_entries set at = at + 1 where merchant = $1 and position = 1', 1],
    ['a missing entry', 'delete from audit_entries where merchant = $1 and position = 2', 2],
    ['a cut tail', 'delete from audit_entries where merchant = $1 and position = 3', 3],
    [
      'another address',
      `update audit_entries set personal = jsonb_set(personal, '{address}', '"192.0.2.1"') where merchant = $1 and position = 2`,
      2,
    ],
  ])('shows %s', async (_what, change, number) => {
    const merchant = await deps.merchant();
    await rename(merchant, 'One');
    await rename(merchant, 'Two');
    expect(await chainOf(merchant)).toMatchObject({ entries: 3, broken: null });
    await tamper(change, merchant);
    expect((await chainOf(merchant)).broken?.number).toBe(number);
  });

  test('does not contain a hash that was logged if its tail and its head were cut off', async () => {
    const merchant = await deps.merchant();
    await rename(merchant, 'One');
    const lines: object[] = [];
    const log = { ...deps.log, info: (line: object) => void lines.push(line) } as unknown as typeof deps.log;
    await logAuditHeads(deps.db, log);
    const { head } = await chainOf(merchant);
    expect(lines).toContainEqual({ audit: 'head', merchant, number: 2, hash: head });
    expect(await entryWithHash(deps.db, merchant, head)).toBe(2);
    lines.length = 0;
    await logAuditHeads(deps.db, log);
    expect(lines).toEqual([]);
    await tamper('delete from audit_entries where merchant = $1 and position = 2', merchant);
    await tamper(
      'update audit_heads h set position = 1, hash = e.hash from audit_entries e where e.merchant = h.merchant and h.merchant = $1',
      merchant,
    );
    expect((await chainOf(merchant)).broken).toBeNull();
    expect(await entryWithHash(deps.db, merchant, head)).toBeNull();
  });

  test('stays valid after its personal data is erased', async () => {
    const merchant = await deps.merchant();
    await rename(merchant, 'Write to ada@example.com');
    const [, named] = await entriesOf(merchant);
    expect(JSON.stringify(named!.after)).not.toContain('ada@example.com');
    expect(Object.values(named!.personal!.values!)).toEqual(['Write to ada@example.com']);
    const erasing = { merchant, before: deps.now.ms + 1 };
    expect(await eraseAuditPersonal({ ...deps, origin }, erasing)).toBe(2);
    const [first, second, erased] = await entriesOf(merchant);
    expect([first!.personal, second!.personal]).toEqual([null, null]);
    expect(erased).toMatchObject({ action: 'audit.erased', after: { entries: 2 } });
    expect(await chainOf(merchant)).toMatchObject({ entries: 3, broken: null });
  });

  test('stays valid after a buyer is erased, and still says who acted', async () => {
    const merchant = await deps.merchant();
    await rename(merchant, 'Write to ada@example.com');
    const [, before] = await entriesOf(merchant);
    expect(await eraseEntriesNaming(deps.db, merchant, ['ada@example.com'])).toBe(1);
    const [, after] = await entriesOf(merchant);
    const { address, userAgent } = before!.personal!;
    expect(after!.personal).toEqual({ address, userAgent });
    expect(await chainOf(merchant)).toMatchObject({ entries: 2, broken: null });
    expect(await eraseEntriesNaming(deps.db, merchant, ['ada@example.com'])).toBe(0);
  });

  test('is broken by a personal value or an actor that was changed', async () => {
    for (const change of [
      `personal = jsonb_set(personal::jsonb, '{address}', '"192.0.2.9"')`,
      `personal = replace(personal::text, 'ada@', 'eve@')::jsonb`,
    ]) {
      const merchant = await deps.merchant();
      await rename(merchant, 'Write to ada@example.com');
      await tamper(`update audit_entries set ${change} where merchant = $1 and position = 2`, merchant);
      expect((await chainOf(merchant)).broken).toMatchObject({ number: 2, reason: 'its personal data was changed' });
    }
  });

  test('of an earlier version stays valid, and an erasure removes all of its personal data', async () => {
    const merchant = await deps.merchant();
    await rename(merchant, 'Write to ada@example.com');
    const [, entry] = await entriesOf(merchant);
    // An entry of an earlier version has one salt and one digest for all of its personal data.
    const { valuesSalt, ...personal } = entry!.personal!;
    const personalDigest = digestOfPersonal(valuesSalt!, personal);
    const hash = hashOf({ ...entry!, personalDigest });
    const written = [JSON.stringify(personal), valuesSalt, personalDigest, hash, merchant];
    const text = `with e as (update audit_entries set personal = $1::jsonb, salt = $2, personal_digest = $3, hash = $4
                              where merchant = $5 and position = 2 returning merchant, hash)
                  update audit_heads h set hash = e.hash from e where h.merchant = e.merchant`;
    await runStatement(deps.db, statement('audit-earlier-version', text), written);
    expect((await chainOf(merchant)).broken).toBeNull();
    expect(await eraseEntriesNaming(deps.db, merchant, ['ada@example.com'])).toBe(1);
    expect((await entriesOf(merchant))[1]!.personal).toBeNull();
    expect((await chainOf(merchant)).broken).toBeNull();
  });
});

test('every action has a description that says what was done', () => {
  for (const [action, description] of Object.entries(AUDIT_ACTIONS)) {
    expect(action).toMatch(/^[a-z]+\.[a-z_]+$/);
    expect(description).toMatch(/^[A-Z].+\.$/);
  }
});
