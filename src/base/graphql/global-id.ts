/** The description of `id` fields that `globalId` makes. */
export const GLOBAL_ID = 'An opaque id that no other object of the API has. Normalised caches use it as their key.';

/**
 * The `id` of an object: the name of its type and what identifies it within the type, encoded. Ids that callers choose
 * repeat across merchants, so they are given with the merchant.
 *
 * @example
 * id: t.id({ description: GLOBAL_ID, resolve: ({ merchant, id }) => globalId('Receipt', merchant, id) }),
 */
export const globalId = (type: string, ...keys: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify([type, ...keys])).toString('base64url');
