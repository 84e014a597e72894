import { vi } from 'vitest';
import { consoleTree } from '../../src/base/core/messages/words.ts';

/** `vi.waitFor` gives up after a second unless it is given a limit; a busy machine needs longer. */
const WAIT_MS = 60_000;

const { waitFor, waitUntil } = vi;
type Options = Parameters<typeof waitFor>[1];
const patient = (options: Options): Options =>
  typeof options === 'number' ? options : { timeout: WAIT_MS, ...options };
if (!('isPatient' in vi))
  Object.assign(vi, {
    isPatient: true,
    waitFor: ((ask, options) => waitFor(ask, patient(options))) as typeof waitFor,
    waitUntil: ((ask, options) => waitUntil(ask, patient(options))) as typeof waitUntil,
  });

/** In tests of the console's parts without a browser, the console is in English. */
let english: typeof globalThis.consoleWords;
Object.defineProperty(globalThis, 'consoleWords', {
  configurable: true,
  get: () => (english ??= { language: 'en', checked: true, unchecked: [], tree: consoleTree('en') }),
});
