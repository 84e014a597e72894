import { sql } from 'kysely';

/** A value for a column of type `jsonb`, for a query builder. As a parameter, an array would be an array of SQL. */
export const jsonb = <Value>(value: Value) => sql<Value>`${JSON.stringify(value)}::jsonb`;
