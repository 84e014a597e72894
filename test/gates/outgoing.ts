import { type Source, sources } from './sources.ts';

/** A way to send something over HTTP, and the files that may use it. */
interface Way {
  readonly uses: RegExp;
  readonly allowed: readonly string[];
  readonly instead: string;
}

/** The command that an operator points at a host of their own. */
const EDGE_PROBE = 'src/app/cli/edge.ts';

const WAYS: readonly Way[] = [
  {
    uses: /(?<![\w.$'"`-])fetch\(|\bglobalThis\.fetch\b|\bnew (?:WebSocket|EventSource)\(/,
    allowed: ['src/base/outgoing/fixed-host.ts'],
    instead: 'send it with openFixedHost or createGuardedClient',
  },
  {
    uses: /from 'undici'/,
    allowed: [
      'src/base/outgoing/fixed-host.ts',
      'src/base/outgoing/guarded-request.ts',
      'src/base/outgoing/refuse-others.ts',
    ],
    instead: 'send it with openFixedHost or createGuardedClient',
  },
  {
    // A server imports types and `createServer` only.
    uses: /\bhttps?\.(?:request|get)\(|\b(?:https|http) : (?:https|http)\)\.request\(|import \{[^}]*\b(?:request|get)\b[^}]*\} from 'node:https?'|from 'node:http2'/,
    allowed: [EDGE_PROBE],
    instead: 'send it with openFixedHost or createGuardedClient',
  },
  {
    uses: /import (?!type)[^;]*\bcreate(?:Public|Wallet|Test)?Client\b[^;]*from 'viem'/,
    allowed: ['src/base/chain/client.ts'],
    instead: 'use a client of src/base/chain/client.ts',
  },
  {
    uses: /import (?!type)[^;]*\b(?:http|webSocket|fallback|custom)\b[^;]*from 'viem'/,
    allowed: ['src/base/chain/rpc-transport.ts'],
    instead: 'use a transport of src/base/chain/rpc-transport.ts',
  },
  {
    uses: /from 'nodemailer[^']*'|\bimport\('nodemailer/,
    allowed: ['src/base/outgoing/smtp.ts'],
    instead: 'send it with openSmtp',
  },
];

/** Requests over HTTP that go around the table of destinations, and clients of a chain that follow `OffchainLookup`. */
export function outgoingFaults(files: readonly Source[] = sources()): string[] {
  return files
    .filter(({ path }) => isServerCode(path))
    .flatMap(({ path, text }) => {
      const code = text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');
      const around = WAYS.filter(({ uses, allowed }) => uses.test(code) && !allowed.includes(path));
      const clients = code.match(/\bcreatePublicClient\([^)]*\)/g) ?? [];
      const following = clients.filter((call) => !/\bccipRead: false\b/.test(call));
      return [
        ...around.map(({ uses, instead }) => `${path}: ${uses.exec(code)![0]}: ${instead}`),
        ...following.map(() => `${path}: a client of a chain needs ccipRead: false`),
      ];
    });
}

/** Scripts of pages and the client of shops run in browsers. Tests may send anything. */
const isServerCode = (path: string): boolean =>
  !/\.test\.|\/test\//.test(path) && !/^src\/(?:client\/|doors\/pages\/(?:.*\/)?client\/)/.test(path);
