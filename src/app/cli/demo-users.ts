import { createHash } from 'node:crypto';
import { listLeaders } from '../../domain/people/users/find.ts';
import { importUsers } from '../../domain/people/users/import.ts';
import type { OpenDeps } from '../deps.ts';

/** Name, XP, interests, platforms and languages. */
const USERS: readonly (readonly [string, number, string[], string[], string[]])[] = [
  ['Amara Okafor', 9_120, ['roasting', 'cupping'], ['web', 'youtube'], ['en', 'ig']],
  ['Björn Lindqvist', 8_475, ['brewing'], ['web'], ['sv', 'en']],
  ['Chiara Bianchi', 7_930, ['espresso', 'latte art'], ['twitch'], ['it', 'en']],
  ['Daniel Haile', 7_310, ['farming', 'roasting'], ['web'], ['am', 'en']],
  ['Elif Demir', 6_640, ['brewing', 'pottery'], ['youtube'], ['tr', 'de']],
  ['Farid Rahmani', 5_880, ['grinders'], ['web'], ['fa', 'fr']],
  ['Grace Kim', 5_205, ['espresso'], ['twitch', 'web'], ['ko', 'en']],
  ['Hugo Moreau', 4_390, ['pottery'], ['web'], ['fr']],
  ['Ines Carvalho', 3_615, ['farming'], ['youtube'], ['pt', 'es']],
  ['Jun Tanaka', 2_940, ['brewing', 'grinders'], ['twitch'], ['ja']],
  ['Katya Morozova', 1_870, ['latte art'], ['web'], ['uk', 'en']],
  ['Luis Ortega', 920, ['farming', 'cupping'], ['web', 'youtube'], ['es']],
];

/** Imports a few users for the search, if there are none. */
export async function prepareUsers(deps: OpenDeps): Promise<void> {
  if ((await listLeaders(deps, 1)).length > 0) return;
  const lines = USERS.map(([displayName, xp, domains, platforms, languages]) => {
    const wallet = `0x${createHash('sha256').update(displayName).digest('hex').slice(0, 40)}`;
    return JSON.stringify({ wallet, displayName, xp, domains, platforms, languages });
  });
  await importUsers(
    deps,
    (async function* () {
      yield Buffer.from(lines.join('\n'));
    })(),
  );
}
