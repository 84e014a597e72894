import { type Insertable, sql } from 'kysely';
import { refuse } from '../core/errors.ts';
import { isStorable, MAX_LABEL } from '../core/limits.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Db } from './db.ts';
import type { Deps } from './deps.ts';
import type { Database } from './postgres/database.ts';
import { query } from './postgres/query.ts';
import type { SealedValues } from './sealed-values.ts';
import { seal, sha256, unseal } from './secrets.ts';
import { SWEEP_BATCH, sweep } from './sweep.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/** How long an Idempotency-Key returns its first answer. */
export const ANSWER_MS = 24 * 3_600_000;

/** An Idempotency-Key with the `bodyDigest` of the body that it was sent with, to recognize another body. */
export interface Repeatable {
  readonly key: string;
  readonly digest: string;
}

/** The repeatable part of a request; null without a key. */
export const repeatableOf = (key: string | null | undefined, body: unknown): Repeatable | null =>
  key == null ? null : { key, digest: bodyDigest(body) };

/** A request that may be repeated. */
export interface RepeatableRequest {
  readonly merchant: Wallet;
  /** The operation. The same key may be used for another one. */
  readonly operation: string;
  /** The caller's Idempotency-Key. */
  readonly key: string;
  /** The `bodyDigest` of the parsed body. */
  readonly digest: string;
}

/**
 * Runs `work` once per Idempotency-Key: the same key with the same body within 24 hours returns the first answer. Work
 * and answer are committed together, so a crash leaves both or neither. Concurrent requests with the key wait. A
 * refusal is not stored, so the next request runs `work` again. The answer must be plain JSON.
 *
 * Errors: `invalid_input` if the key was used with another body, or is not 1 to 256 characters; the refusals of `work`.
 */
export async function withIdempotencyKey<T>(
  db: Db,
  now: number,
  { merchant, operation, key, digest }: RepeatableRequest,
  work: (uow: UnitOfWork) => Promise<T>,
): Promise<T> {
  if (key.length === 0 || key.length > MAX_LABEL || !isStorable(key)) {
    throw refuse('invalid_input', `Idempotency-Key must be 1 to ${MAX_LABEL} characters`, { field: 'Idempotency-Key' });
  }
  const place = { merchant, operation, key };
  return db.transaction(async (uow) => {
    // A second request with the key waits in this statement until the first has committed or failed.
    if (!(await reserve(uow, { ...place, bodyDigest: digest, answer: null, createdAt: now }))) {
      const first = await selectAnswer(uow, place).executeTakeFirstOrThrow();
      if (first.bodyDigest === digest) return first.answer as T;
      throw refuse('invalid_input', 'This Idempotency-Key was used with another body', {
        field: 'Idempotency-Key',
        reason: 'key_reused',
      });
    }
    const answer = await work(uow);
    await uow.db
      .updateTable('IdempotentAnswer')
      .set({ answer: JSON.stringify(answer) })
      .where((eb) => eb.and(place))
      .execute();
    return answer;
  });
}

/**
 * Runs `work` in a transaction, once per Idempotency-Key if the request has one. For answers with a secret that is
 * shown only once: the stored answer is encrypted.
 */
export async function withSealedAnswer<T>(
  deps: Pick<Deps, 'db' | 'clock' | 'settings'>,
  place: Pick<RepeatableRequest, 'merchant' | 'operation'>,
  repeatable: Repeatable | null,
  work: (uow: UnitOfWork) => Promise<T>,
): Promise<T> {
  if (repeatable === null) return deps.db.transaction(work);
  const context = contextOf({ ...place, key: repeatable.key });
  const sealed = await withIdempotencyKey(deps.db, deps.clock(), { ...place, ...repeatable }, async (uow) =>
    seal(deps.settings, context, JSON.stringify(await work(uow))),
  );
  return JSON.parse(unseal(deps.settings, context, sealed)) as T;
}

type Place = Pick<RepeatableRequest, 'merchant' | 'operation' | 'key'>;

const contextOf = ({ merchant, operation, key }: Place): string => [merchant, operation, key].join(' ');

/** Merchant, operation and key of an answer, as one text. */
const PLACE = sql<string>`json_build_array(merchant, operation, key)::text`;

const SEALED_PAGE = query(
  'sealed-answers',
  (db, $: { after: string; limit: number }) =>
    db
      .selectFrom('IdempotentAnswer')
      .select([PLACE.as('at'), sql<string>`answer #>> '{}'`.as('sealed')])
      .where(sql<boolean>`json_typeof(answer) = 'string'`)
      .where(PLACE, '>', $.after)
      .orderBy(PLACE)
      .limit($.limit),
  { computed: { at: 'text', sealed: 'text' }, slow: true },
);
const RESEAL = query('reseal-answer', (db, $: Place & { known: string; sealed: string }) =>
  db
    .updateTable('IdempotentAnswer')
    .set({ answer: sql`to_json(${$.sealed}::text)` })
    .where('merchant', '=', $.merchant)
    .where('operation', '=', $.operation)
    .where('key', '=', $.key)
    .where(sql<boolean>`answer #>> '{}' = ${$.known}`),
);

/** The stored answers that `withSealedAnswer` encrypted. */
export const sealedAnswers: SealedValues = {
  what: 'answers of Idempotency-Keys',
  page: async (database, after, limit) =>
    (await database.run(SEALED_PAGE, { after, limit })).map(({ at, sealed }) => ({
      at,
      values: [{ context: (JSON.parse(at) as string[]).join(' '), sealed }],
    })),
  replace: async (database, { at, values }, [sealed]) => {
    const [merchant, operation, key] = JSON.parse(at) as [Wallet, string, string];
    await database.run(RESEAL, { merchant, operation, key, known: values[0]!.sealed, sealed: sealed! });
  },
};

const selectAnswer = ({ db }: UnitOfWork, place: Place) =>
  db
    .selectFrom('IdempotentAnswer')
    .select(['bodyDigest', 'answer'])
    .where((eb) => eb.and(place));

/** Stores a row, unless its key has one from the last 24 hours. Returns whether it was stored. */
async function reserve({ db }: UnitOfWork, row: Insertable<Database['IdempotentAnswer']>): Promise<boolean> {
  const { bodyDigest, answer, createdAt } = row;
  const stored = await db
    .insertInto('IdempotentAnswer')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['merchant', 'operation', 'key'])
        .doUpdateSet({ bodyDigest, answer, createdAt })
        .where('IdempotentAnswer.createdAt', '<=', createdAt - ANSWER_MS),
    )
    .returning('key')
    .executeTakeFirst();
  return stored !== undefined;
}

/** The digest that distinguishes request bodies with the same key. */
export const bodyDigest = (body: unknown): string => sha256(JSON.stringify(body, sortKeys) ?? '');

/**
 * Stores the answer to a repeatable request that was given without the database, in the transaction that completes the
 * request. It does not replace an answer from the last 24 hours.
 *
 * @param given.at when it was answered, epoch ms
 */
export async function storeAnswer(
  uow: UnitOfWork,
  given: RepeatableRequest & { readonly answer: unknown; readonly at: number },
): Promise<void> {
  const { merchant, operation, key, digest, at } = given;
  const answer = JSON.stringify(given.answer);
  await reserve(uow, { merchant, operation, key, bodyDigest: digest, answer, createdAt: at });
}

/** Sorts the keys of objects, because a client may send the same body with its keys in another order. */
function sortKeys(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const SWEEP = query(
  'sweep-idempotent-answers',
  (db, $: { until: number }) =>
    db
      .with('deleted', (cte) =>
        cte
          .deleteFrom('IdempotentAnswer')
          .where(({ selectFrom }) => {
            const old = selectFrom('IdempotentAnswer').select(sql`ctid`.as('ctid')).where('createdAt', '<=', $.until);
            return sql<boolean>`ctid in ${old.limit(SWEEP_BATCH)}`;
          })
          .returning('createdAt'),
      )
      .selectFrom('deleted')
      .select((eb) => eb.fn.countAll<number>().as('count')),
  { computed: { count: 'int8' } },
);

/** Deletes the stored answers whose keys may be used again. Returns their number. */
export const sweepAnswers = (db: Db, now: number): Promise<number> => sweep(db, SWEEP, { until: now - ANSWER_MS });

const ERASE_ANSWERS = query(
  'idempotent-answers-erase',
  (_db, $: { merchant: Wallet; ids: readonly string[]; fields: readonly string[] }) => sql<{ key: string }>`
    update idempotent_answers
       set answer = (select json_object_agg(name, case when name = any(${$.fields}::text[]) then 'null' else value end)
                       from json_each(answer) as field(name, value))
     where merchant = ${$.merchant} and answer->>'id' = any(${$.ids}::text[])
    returning key`,
  { computed: { key: 'text' }, slow: true },
);

/** Sets fields of the stored answers to null whose record has one of the ids. Their keys still give these answers. */
export async function eraseAnswers(
  db: Db,
  of: { readonly merchant: Wallet; readonly ids: readonly string[] },
  fields: readonly string[],
): Promise<void> {
  await db.run(ERASE_ANSWERS, { ...of, fields });
}
