import { ask } from './graphql.ts';

/** Sends an operation of one root field with the page's token, as `ask` does; the field's value. */
export async function askOne<Value>(url: string, query: string, variables: object): Promise<Value> {
  const [value] = Object.values(await ask<Record<string, Value>>(url, query, variables));
  return value as Value;
}
