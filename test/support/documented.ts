import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { schema } from '../../src/doors/http/server/schema.ts';
import { describeApi, type OpenApiDocument } from '../../src/doors/rest/openapi/document.ts';
import type { JsonSchema } from '../../src/doors/rest/openapi/json-schema.ts';
import { parts } from '../../src/doors/rest/routes.ts';

/** An answer of the server, as far as the document has a say in it. */
export interface Answered {
  readonly method: string;
  /** Path with query. */
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  /** Parsed where it is JSON. */
  readonly body: unknown;
}

interface Response {
  readonly headers?: Readonly<Record<string, Header | Ref>>;
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>;
}
interface Header {
  readonly required?: boolean;
  readonly schema: JsonSchema;
}
interface Ref {
  readonly $ref: string;
}

/** Headers that HTTP, caches and browsers need on any answer: the document need not tell of them. */
const EVERYDAY =
  /^(access-control-.+|allow|cache-control|connection|content-encoding|content-length|content-type|date|keep-alive|server|transfer-encoding|vary|x-content-type-options)$/;

/**
 * Checks answers against an API document, more strictly than it is meant for the world: an object has no field that the
 * document does not name.
 */
export function documentChecks(document: OpenApiDocument) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const closed = close(document);
  ajv.addSchema({ ...closed, $id: 'api' });
  const compiled = new Map<string, ValidateFunction>();

  /** What is wrong with a value by the schema at a place of the document. */
  function faultsAt(place: readonly string[], value: unknown, what: string): string[] {
    const pointer = place.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
    const check = compiled.get(pointer) ?? ajv.compile({ $ref: `api#/${pointer}` });
    compiled.set(pointer, check);
    if (check(value)) return [];
    return (check.errors ?? []).map(
      ({ instancePath, message, params }) => `${what}${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  }

  /** Where a path stands in the document: itself, else the template it fits. */
  function templateOf(path: string): string | undefined {
    if (closed.paths[path]) return path;
    return Object.keys(closed.paths).find((template) =>
      new RegExp(`^${template.replaceAll(/[.+]/g, '\\$&').replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
    );
  }

  /** What the place of a reference is, and of anything else itself. */
  function resolve<T extends object>(node: T | Ref, place: readonly string[]): { at: readonly string[]; node: T } {
    if (!('$ref' in node)) return { at: place, node };
    const at = node.$ref.split('/').slice(1);
    return { at, node: at.reduce<unknown>((found, step) => (found as Record<string, unknown>)[step], closed) as T };
  }

  return {
    /** Everything about an answer that the document does not say; nothing about paths that are not the API's. */
    faultsOf({ method, url, status, headers, body }: Answered): string[] {
      const path = url.split(/[?#]/, 1)[0] as string;
      const template = templateOf(path);
      if (template === undefined)
        return path.startsWith('/api/') && status < 400 ? [`${path} answers and is not in the document`] : [];
      const operation = closed.paths[template]?.[method.toLowerCase()];
      // A method that is not there is refused as everywhere; HEAD and OPTIONS are HTTP's.
      if (!operation) return status < 400 && !/^(HEAD|OPTIONS)$/.test(method) ? [`${method} ${path} is not in it`] : [];
      const responses = operation.responses as Record<string, Response | Ref>;
      const found = responses[status];
      if (!found) return [`${method} ${path} answers ${status}, which the document does not tell of`];
      const here = ['paths', template, method.toLowerCase(), 'responses', String(status)];
      const { at, node } = resolve<Response>(found, here);
      return [...headerFaults(node, at, headers), ...bodyFaults(node, at, headers, body)].map(
        (fault) => `${method} ${path} ${status}: ${fault}`,
      );
    },
    /** What is wrong with the body of a webhook. */
    webhookFaults: (body: unknown): string[] =>
      faultsAt(['components', 'schemas', 'ReceiptStatusUpdated'], body, 'the webhook'),
  };

  function headerFaults(response: Response, place: readonly string[], sent: Headers): string[] {
    const described = new Map(
      Object.entries(response.headers ?? {}).map(([name, header]) => [name.toLowerCase(), header]),
    );
    const undocumented = [...sent.keys()].filter((name) => !EVERYDAY.test(name) && !described.has(name));
    const wrong = Object.entries(response.headers ?? {}).flatMap(([name, header]) => {
      const { at, node } = resolve<Header>(header, [...place, 'headers', name]);
      const value = sent.get(name);
      if (value === null) return node.required ? [`the header ${name} is missing`] : [];
      const typed = node.schema.type === 'integer' ? Number(value) : value;
      return faultsAt([...at, 'schema'], typed, `the header ${name}`);
    });
    return [...undocumented.map((name) => `the header ${name} is not in the document`), ...wrong];
  }

  function bodyFaults(response: Response, place: readonly string[], sent: Headers, body: unknown): string[] {
    const type = sent.get('content-type')?.split(';', 1)[0] ?? '';
    if (!response.content) return body === '' ? [] : ['a body that the document does not tell of'];
    if (!response.content[type]) return [`the media type ${type} is not in the document`];
    return faultsAt([...place, 'content', type, 'schema'], body, 'the body');
  }
}

/** The same document, where objects have exactly the fields that they name. */
function close<T>(node: T): T {
  if (Array.isArray(node)) return node.map(close) as T;
  if (typeof node !== 'object' || node === null) return node;
  const inner = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, close(value)])) as JsonSchema;
  const isObject = ([] as unknown[]).concat(inner.type).includes('object') && 'properties' in inner;
  return (isObject && !('additionalProperties' in inner) ? { ...inner, additionalProperties: false } : inner) as T;
}

let checks: ReturnType<typeof documentChecks> | undefined;

/** The checks of the document as the code makes it now; made when first asked for. */
export const apiChecks = (): ReturnType<typeof documentChecks> => {
  checks ??= documentChecks(describeApi(parts, schema));
  return checks;
};
