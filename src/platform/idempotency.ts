import { refuse } from '../core/errors.ts';
import { isStorable, MAX_LABEL } from '../core/text.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from './deps.ts';
import { sha256 } from './secrets.ts';
import { inTransaction, type UnitOfWork } from './unit-of-work.ts';

/** How long an Idempotency-Key returns its first answer. */
export const ANSWER_MS = 24 * 3_600_000;

/** A request that may be repeated. */
export interface RepeatableRequest {
  readonly merchant: Wallet;
  /** The operation. The same key may be used for another one. */
  readonly operation: string;
  /** The caller's Idempotency-Key. */
  readonly key: string;
  /** The parsed body. */
  readonly body: unknown;
}

/**
 * Runs `work` once per Idempotency-Key: the same key with the same body within 24 hours returns the first answer. Work
 * and answer are committed together, so a crash leaves both or neither. Concurrent requests with the key wait. A
 * refusal is not stored, so the next request runs `work` again. The answer must be plain JSON.
 *
 * Errors: `invalid_input` if the key was used with another body, or is not 1 to 256 characters; the refusals of `work`.
 */
export async function withIdempotencyKey<T>(
  deps: Pick<Deps, 'orm' | 'clock'>,
  { merchant, operation, key, body }: RepeatableRequest,
  work: (uow: UnitOfWork) => Promise<T>,
): Promise<T> {
  if (key.length === 0 || key.length > MAX_LABEL || !isStorable(key)) {
    throw refuse('invalid_input', `Idempotency-Key must be 1 to ${MAX_LABEL} characters`, { field: 'Idempotency-Key' });
  }
  const digest = bodyDigest(body);
  const now = deps.clock();
  return inTransaction(deps, async (uow) => {
    // A second request with the key waits in this statement until the first has committed or failed.
    const taken = await uow.sql(
      `insert into idempotent_answers (merchant, operation, key, body_digest, answer, created_at)
       values ($1, $2, $3, $4, null, $5)
       on conflict (merchant, operation, key) do update
         set body_digest = excluded.body_digest, answer = null, created_at = excluded.created_at
         where idempotent_answers.created_at <= $6
       returning 1`,
      [merchant, operation, key, digest, now, now - ANSWER_MS],
    );
    const row = [merchant, operation, key];
    if (taken.length === 0) {
      const [first] = await uow.sql<{ digest: string; answer: T }>(
        `select body_digest as digest, answer from idempotent_answers
         where merchant = $1 and operation = $2 and key = $3`,
        row,
      );
      if (first?.digest === digest) return first.answer;
      throw refuse('invalid_input', 'This Idempotency-Key was used with another body', {
        field: 'Idempotency-Key',
      });
    }
    const answer = await work(uow);
    await uow.em.flush();
    await uow.sql('update idempotent_answers set answer = $4 where merchant = $1 and operation = $2 and key = $3', [
      ...row,
      JSON.stringify(answer),
    ]);
    return answer;
  });
}

/** The digest that distinguishes request bodies with the same key. */
export const bodyDigest = (body: unknown): string => sha256(JSON.stringify(body, sortKeys) ?? '');

/**
 * Stores the answer to a repeatable request that was given without the database, in the transaction that completes the
 * request. It does not replace an answer from the last 24 hours.
 *
 * @param given.digest `bodyDigest` of the request's body
 * @param given.at when it was answered, epoch ms
 */
export async function storeAnswer(
  uow: UnitOfWork,
  given: Pick<RepeatableRequest, 'merchant' | 'operation' | 'key'> & {
    readonly digest: string;
    readonly answer: unknown;
    readonly at: number;
  },
): Promise<void> {
  await uow.sql(
    `insert into idempotent_answers (merchant, operation, key, body_digest, answer, created_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (merchant, operation, key) do update
       set body_digest = excluded.body_digest, answer = excluded.answer, created_at = excluded.created_at
       where idempotent_answers.created_at <= $7`,
    [
      ...[given.merchant, given.operation, given.key],
      ...[given.digest, JSON.stringify(given.answer), given.at, given.at - ANSWER_MS],
    ],
  );
}

/** Sorts the keys of objects, because a client may send the same body with its keys in another order. */
function sortKeys(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
