import { ask } from './graphql.ts';

/** Sends an operation with one root field, as `ask` does. Returns the field's value. */
export async function askOne<Value>(url: string, query: string, variables: object): Promise<Value> {
  const [value] = Object.values(await ask<Record<string, Value>>(url, query, variables));
  return value as Value;
}
