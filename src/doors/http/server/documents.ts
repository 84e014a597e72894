import { GraphQLError } from 'graphql';
import type { Caller } from '../../../base/core/caller.ts';
import { type ErrorCode, errorCatalogue, refuse } from '../../../base/core/errors.ts';
import { createRegisteredQueries, queryOwner, type TrustedDocuments } from '../../../base/graphql/trusted-documents.ts';
import { sha256 } from '../../../base/platform/secrets.ts';
import type { Named } from './graphql-params.ts';
import { trustedRefusal } from './graphql-policy.ts';

/** The document of a request. */
type Found =
  | {
      readonly text: string;
      /** Whether the request named the document instead of sending it. */
      readonly known: boolean;
      /** Keeps the text for later requests by its hash. Called once the operation is admitted. */
      readonly register?: () => void;
    }
  /** The request names a document that the server does not have. */
  | { readonly missing: GraphQLError };

/** Finds the documents that requests send or name, for every transport. */
export interface Documents {
  /**
   * Refuses a malformed name with `invalid_input`, and a document that is not trusted with `forbidden` if the caller's
   * key runs trusted documents only.
   */
  find(caller: Caller, request: { readonly query: string | null; readonly named: Named | null }): Found;
}

/** Creates the documents of a server: the trusted ones, and those that clients register. */
export function createDocuments(trusted: TrustedDocuments): Documents {
  const registered = createRegisteredQueries();

  function byId(caller: Caller, id: string): Found {
    const owner = queryOwner(caller);
    const hash = id.startsWith('sha256:') ? id.slice('sha256:'.length) : null;
    const text = trusted.textOf(id) ?? (owner && hash ? registered.find(owner, hash) : undefined);
    return text === undefined ? { missing: missing('document_not_found') } : { text, known: true };
  }

  function byHash(caller: Caller, hash: string, query: string | null): Found {
    const owner = queryOwner(caller);
    if (query === null) {
      const found = trusted.textOf(`sha256:${hash}`) ?? trusted.textOf(hash);
      const text = found ?? (owner === null ? undefined : registered.find(owner, hash));
      if (text !== undefined) return { text, known: true };
      const refusal = trustedRefusal(caller);
      if (refusal) throw refusal;
      return { missing: missing(owner === null ? 'PERSISTED_QUERY_NOT_SUPPORTED' : 'PERSISTED_QUERY_NOT_FOUND') };
    }
    if (owner === null) return sent(caller, query);
    if (registered.find(owner, hash) === query) return { text: query, known: true };
    if (sha256(query) !== hash)
      throw refuse('invalid_input', 'The hash is not the SHA-256 of the query', { field: HASH_FIELD });
    return { text: query, known: true, register: () => registered.add(owner, hash, query) };
  }

  function sent(caller: Caller, text: string): Found {
    const refusal = trustedRefusal(caller);
    if (refusal && !trusted.has(text)) throw refusal;
    return { text, known: false };
  }

  return {
    find(caller, { query, named }) {
      if (named === null) return sent(caller, query as string);
      if ('hash' in named) return byHash(caller, named.hash, query);
      if (query !== null) throw refuse('invalid_input', 'Send either documentId or query', { field: 'documentId' });
      return byId(caller, named.documentId);
    },
  };
}

/** Where a request has the hash of an automatic persisted query. */
const HASH_FIELD = 'extensions.persistedQuery.sha256Hash';

const missing = (code: ErrorCode) => new GraphQLError(errorCatalogue[code][1], { extensions: { code } });
