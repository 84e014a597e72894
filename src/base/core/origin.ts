import { actorOf, type Caller } from './caller.ts';

/** Who makes a change, and from where. It becomes part of the audit log. */
export interface Origin {
  /** `wallet:0x…`, `key:…`, or the name of a caller without an id. */
  readonly actor: string;
  /** The client's address; null for none. */
  readonly address: string | null;
  readonly userAgent: string | null;
}

/** A change that no caller asked for, such as one of a worker. */
export const SERVER: Origin = { actor: 'server', address: null, userAgent: null };

/** A change by the operator on the command line of the server's machine. */
export const COMMAND_LINE: Origin = { actor: 'command_line', address: null, userAgent: null };

/** The longest stored text of a client about itself. */
const MAX_AGENT = 300;

/** The origin of a change that a request asks for. */
export const originOf = (
  caller: Caller,
  { address, userAgent }: { readonly address: string | null; readonly userAgent: string | null },
): Origin => ({ actor: actorOf(caller), address, userAgent: userAgent?.slice(0, MAX_AGENT) ?? null });
