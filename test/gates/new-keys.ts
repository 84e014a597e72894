import { type Source, sources } from './sources.ts';

/** Where pages and the client of the browser make random keys. */
const PLACE = 'src/client/new-key.ts';
/** Where the console gives what is created its idempotency key, which belongs to the content and not to a press. */
const GIVES = 'src/doors/pages/console/client/ask.ts';

/**
 * Scripts of browsers that make a key with `crypto.randomUUID`, which is not there on a page over plain http, and forms
 * that make an idempotency key by themselves, which would be another one with each press.
 */
export function newKeyFaults(files: readonly Source[] = sources()): string[] {
  const scripts = files.filter(
    ({ path }) => /^src\/(?:doors\/pages|client)\//.test(path) && !/\.test\.|\/test\//.test(path),
  );
  return scripts.flatMap(({ path, text }) => [
    ...(/\brandomUUID\b/.test(text) && path !== PLACE ? [`${path}: make a key with newKey() of ${PLACE}`] : []),
    ...(/\bnewKey\(/.test(text) && path.startsWith('src/doors/pages/') && path !== GIVES
      ? [`${path}: create with useCreate() of ${GIVES}, which gives the key`]
      : []),
  ]);
}
