import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../gates/sources.ts';
import type { Dice } from '../support/seeded.ts';
import { fitting, hostile, type Owner, spoiled, textOf, type ValueSchema } from './values.ts';

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { name: string; in: string; required?: boolean; schema: ValueSchema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: ValueSchema }>> };
}

export interface RestRequest {
  readonly method: string;
  readonly path: string;
  readonly raw?: string;
}

const document = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'));
const definitions = (ref: string): ValueSchema =>
  ref
    .split('/')
    .slice(1)
    .reduce((found, step) => found[step], document) as ValueSchema;

/**
 * Left out: routes that stream, end the caller's session, or show the platform's users, who belong to no merchant, and
 * the one that answers 503 because no worker runs.
 */
const LEFT_OUT = /logout|users|stream|graphql|plans|readyz/i;

const OPERATIONS = Object.entries(document.paths as Record<string, Record<string, Operation>>)
  .flatMap(([path, methods]) => Object.entries(methods).map(([method, one]) => ({ path, method, one })))
  .filter(
    ({ path, method, one }) =>
      /^(get|post|put|delete|patch)$/.test(method) && !LEFT_OUT.test(`${path} ${one.operationId}`),
  );

/** A request made from the API document; `isHostile` spoils a part of it. */
export function restRequest(dice: Dice, owner: Owner, isHostile: boolean): RestRequest {
  const { path, method, one } = dice.pick(OPERATIONS);
  const value = (schema: ValueSchema, name: string) => fitting(dice, schema, owner, definitions, name);
  const spoils = isHostile ? dice.weighted({ body: 5, query: 3, path: 1, text: 1 }) : null;
  const wanted = (one.parameters ?? []).filter(({ required }) => required || dice.chance(0.5));
  const inPath = (name: string) => {
    const schema = one.parameters?.find((parameter) => parameter.name === name)?.schema ?? { type: 'string' };
    return encodable(spoils === 'path' ? hostile(dice) : value(schema, name === 'id' ? 'receiptId' : name));
  };
  const query = new URLSearchParams();
  for (const { name, in: place, schema } of wanted)
    if (place === 'query')
      query.append(name, encodable(spoils === 'query' && dice.chance(0.5) ? hostile(dice) : value(schema, name)));
  if (spoils === 'query' && dice.chance(0.2))
    query.append(dice.pick(['limit', 'wallet', 'cursor', 'first']), encodable(hostile(dice)));
  const target = `${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(inPath(name)))}${query.size > 0 ? `?${query}` : ''}`;
  const schema = one.requestBody?.content['application/json']?.schema;
  if (!schema) return { method: method.toUpperCase(), path: target };
  const body = value(schema, '');
  const raw = textOf(spoils === 'body' ? spoiled(dice, body) : body);
  return { method: method.toUpperCase(), path: target, raw: spoils === 'text' ? cut(dice, raw) : raw };
}

/** Text that a URL can carry. */
function encodable(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.toWellFormed().slice(0, 2_000) || '-';
}

const cut = (dice: Dice, text: string): string =>
  text.slice(0, dice.below(text.length)) + dice.pick(['', '}', '\u0000', '{{{', ',,']);
