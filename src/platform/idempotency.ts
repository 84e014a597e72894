import { refuse } from '../core/errors.ts';
import { isStorable, MAX_LABEL } from '../core/text.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from './deps.ts';
import { sha256 } from './secrets.ts';
import { inTransaction, type UnitOfWork } from './unit-of-work.ts';

/** For how long an Idempotency-Key stands for its first answer. */
export const ANSWER_MS = 24 * 3_600_000;

/** One request that may come again. */
export interface RepeatableRequest {
  readonly merchant: Wallet;
  /** What is asked for; the same key may be used for another operation. */
  readonly operation: string;
  /** The caller's Idempotency-Key. */
  readonly key: string;
  /** The parsed body. */
  readonly body: unknown;
}

/**
 * Runs `work` once for an Idempotency-Key: the same key with the same body within 24 hours gets the first answer again. Work and answer are committed
 * together, so a crash leaves both or neither; whoever comes meanwhile waits. A refusal is not kept: the next one tries anew. The answer must be plain
 * JSON.
 *
 * Errors: `invalid_input` where the key came with another body, or is not 1 to 256 characters; whatever `work` refuses with.
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
      throw refuse('invalid_input', 'This Idempotency-Key came with another body before', { field: 'Idempotency-Key' });
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

/** What tells one body from another under the same key. */
export const bodyDigest = (body: unknown): string => sha256(JSON.stringify(body, inOrder) ?? '');

/**
 * Keeps the answer to a repeatable request that was given without the database, in the transaction that makes it true. An answer of less than 24 hours
 * before stays.
 *
 * @param given.digest `bodyDigest` of the request's body
 * @param given.at when it was answered, epoch ms
 */
export async function keepGivenAnswer(
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

/** Keys of objects in one order, because not every client writes the same body in the same order twice. */
function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
