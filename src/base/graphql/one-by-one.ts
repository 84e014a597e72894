import { type ErrorCode, INPUT_REASONS, type InputReason, Refusal, refuse } from '../core/errors.ts';
import { builder, throughParent } from './builder.ts';
import { ErrorCodeEnum, InputReasonEnum } from './vocabulary.ts';

/** The most objects that a mutation of several takes. */
export const MOST_AT_ONCE = 100;

/** What became of one of several objects: done, or refused. */
interface Outcome {
  readonly id: string;
  readonly error: ErrorCode | null;
  readonly message: string | null;
  readonly reason: InputReason | null;
}

export const OutcomeType = builder.objectRef<Outcome>('Outcome').implement({
  ...throughParent,
  description: 'What became of one of the objects that a mutation of several names.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the object, as it was sent.' }),
    error: t.expose('error', {
      type: ErrorCodeEnum,
      nullable: true,
      description: 'Why it was refused; null if it is done.',
    }),
    message: t.exposeString('message', { nullable: true, description: 'The same as a sentence.' }),
    reason: t.expose('reason', {
      type: InputReasonEnum,
      nullable: true,
      description: 'What is wrong, for `invalid_input`.',
    }),
  }),
});

const reasonIn = (refusal: Refusal | null): InputReason | null =>
  (Object.keys(INPUT_REASONS) as InputReason[]).find((reason) => reason === refusal?.extra.reason) ?? null;

/**
 * Does something to each object, one after the other, each in its own transaction. One that is refused changes nothing
 * and does not stop the others. Refuses none and more than `MOST_AT_ONCE` with `invalid_input`.
 */
export async function oneByOne(ids: readonly string[], act: (id: string) => Promise<unknown>): Promise<Outcome[]> {
  const unique = [...new Set(ids)];
  if (unique.length === 0 || unique.length > MOST_AT_ONCE)
    throw refuse('invalid_input', `Name 1 to ${MOST_AT_ONCE} ids`, { field: 'ids' });
  const outcomes: Outcome[] = [];
  for (const id of unique) {
    const refusal = await act(id).then(
      () => null,
      (error: unknown) => {
        if (error instanceof Refusal) return error;
        throw error;
      },
    );
    outcomes.push({ id, error: refusal?.code ?? null, message: refusal?.message ?? null, reason: reasonIn(refusal) });
  }
  return outcomes;
}
