import { z } from 'zod';
import { shownAs } from '../../../base/core/input.ts';
import { nameOfWord } from '../../../base/graphql/vocabulary.ts';
import { keyInput } from '../../../domain/access/keys/issue.ts';
import { rotationInput } from '../../../domain/access/keys/rotate.ts';
import type { IssueKeyInput } from '../generated/graphql.ts';
import { readsBody, readsQuery } from '../reader.ts';

/** The body of `POST /api/keys`. GraphQL has other names for the scopes. */
export const keyBody = readsBody(
  keyInput,
  ({ scopes, ...rest }): IssueKeyInput => ({ ...rest, scopes: scopes.map(nameOfWord) as IssueKeyInput['scopes'] }),
);

/** The body of `POST /api/keys/{id}/rotate`. */
export const keyRotationBody = readsBody(rotationInput, (checked) => checked, { mayBeMissing: true });

const LIMIT_MAX = 200;
const LIMIT_WANTED = `must be a whole number from 1 to ${LIMIT_MAX}`;

/** The query of `GET /api/keys`. */
export const keysQuery = readsQuery(
  z.object({
    limit: shownAs(
      z
        .string()
        .regex(/^\d{1,3}$/, { error: LIMIT_WANTED })
        .transform(Number)
        .refine((limit) => limit >= 1 && limit <= LIMIT_MAX, { error: LIMIT_WANTED }),
      { type: 'integer', minimum: 1, maximum: LIMIT_MAX, default: 100 },
    ).default(100),
    cursor: z.string().max(1_000).optional().describe('The `nextCursor` of the page before; empty for the first page.'),
  }),
  ({ limit, cursor }) => ({ first: limit, after: cursor || null }),
);
