import type { ObjectFields } from '../../base/graphql/builder.ts';
import type { AttemptResult } from './deliver.ts';

/** The fields of every attempt: how it was answered. */
export const attemptFields = (t: ObjectFields<Omit<AttemptResult, 'ok'>>) => ({
  at: t.expose('at', { type: 'Millis', description: 'When it was sent.' }),
  durationMs: t.exposeInt('durationMs', { description: 'How long it took, in milliseconds.' }),
  statusCode: t.exposeInt('statusCode', {
    nullable: true,
    description: 'The HTTP status of the response, if there was one.',
  }),
  error: t.exposeString('error', { nullable: true, description: 'Why there was no complete response.' }),
  answer: t.exposeString('answer', { nullable: true, description: 'The first KiB of the response.' }),
});

/** The fields of an attempt that is made once, to test an endpoint. */
export const testFields = (t: ObjectFields<AttemptResult>) => ({
  ok: t.exposeBoolean('ok', { description: 'Whether the endpoint accepted it: a 2xx within 5 seconds.' }),
  ...attemptFields(t),
});
