import { expect, test } from 'vitest';
import { outgoingFaults } from './outgoing.ts';
import { sources } from './sources.ts';

const faultsOf = (text: string, path = 'src/domain/sales/orders/planted.ts') => outgoingFaults([{ path, text }]);

test.each([
  'const answer = await fetch(url);',
  'const answer = await globalThis.fetch(url);',
  'const socket = new WebSocket(url);',
  "import { request } from 'undici';",
  "import { get } from 'node:https';",
  "import http from 'node:http';\nhttp.request(url);",
  "import https from 'node:https';\nhttps.get(url);",
  "import http2 from 'node:http2';",
  "import {\n  createPublicClient,\n  type Hex,\n} from 'viem';",
  "import { createWalletClient } from 'viem';",
  "import { http } from 'viem';",
  "import nodemailer from 'nodemailer';",
  "import SMTPConnection from 'nodemailer/lib/smtp-connection/index.js';",
  "const { createTransport } = await import('nodemailer');",
])('a request around the table of destinations is reported: %s', (text) => {
  expect(faultsOf(text)).toHaveLength(1);
});

test('a client of a chain that follows OffchainLookup is reported, also in the file of the clients', () => {
  const planted = "import { createPublicClient } from 'viem';\nconst c = createPublicClient({ chain, transport });\n";
  expect(faultsOf(planted, 'src/base/chain/client.ts')).toEqual([
    'src/base/chain/client.ts: a client of a chain needs ccipRead: false',
  ]);
  expect(
    faultsOf(planted.replace('transport }', 'transport, ccipRead: true }'), 'src/base/chain/client.ts'),
  ).toHaveLength(1);
  expect(faultsOf(planted.replace('transport }', 'transport, ccipRead: false }'), 'src/base/chain/client.ts')).toEqual(
    [],
  );
});

test('types, servers, comments and the code of browsers are no requests', () => {
  const harmless = [
    "import type { IncomingMessage } from 'node:http';",
    "import { createServer } from 'node:http';",
    "import { type PublicClient, encodeFunctionData } from 'viem';",
    '// fetch(url) would go around it',
    'const rates = await prefetch(url);',
    'const read = this.fetch(url);',
  ];
  expect(harmless.flatMap((text) => faultsOf(text))).toEqual([]);
  expect(faultsOf('await fetch(url);', 'src/doors/pages/portal/client/live.ts')).toEqual([]);
  expect(faultsOf('await fetch(url);', 'src/client/request.ts')).toEqual([]);
});

test('the exceptions are files that exist and use what they are allowed', () => {
  const files = sources();
  const text = (path: string) => files.find((file) => file.path === path)?.text ?? '';
  const planted = (path: string) => faultsOf(text(path), path.replace('src/', 'src/planted/'));
  for (const path of [
    'src/base/outgoing/fixed-host.ts',
    'src/base/outgoing/guarded-request.ts',
    'src/base/outgoing/refuse-others.ts',
    'src/base/chain/client.ts',
    'src/base/chain/rpc-transport.ts',
    'src/app/cli/edge.ts',
    'src/base/outgoing/smtp.ts',
  ])
    expect(planted(path), path).not.toEqual([]);
});
