import { ask, type Operation } from './graphql.ts';

/** Sends an operation with one root field, as `ask` does. Returns the field's value. */
export async function askOne<Result extends object, Variables extends object>(
  url: string,
  operation: Operation<Result, Variables>,
  variables: Variables,
): Promise<Result[keyof Result]> {
  const [value] = Object.values(await ask(url, operation, variables));
  return value;
}
