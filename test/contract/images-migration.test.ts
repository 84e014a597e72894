import { readFileSync } from 'node:fs';
import pg from 'pg';
import { expect, test } from 'vitest';
import { decodeImage } from '../../src/base/records/images/data-uri.ts';
import { testDatabase } from '../support/database.ts';

const FILE = new URL('../../migrations/Migration20261122020000_images.ts', import.meta.url);

test('the migration stores the pictures that users have as data URIs, as the server does, and drops what is none', async () => {
  const client = new pg.Client({ connectionString: await testDatabase() });
  await client.connect();
  try {
    const uris = [
      'data:image/png;base64,iVBORw0KGgo=',
      'data:image/jpg;base64,/9j/4AAQ',
      'data:image/svg+xml;charset=utf-8,%3Csvg%20xmlns="http://www.w3.org/2000/svg"/%3E%C3%A9',
      'data:image/svg+xml;utf8,<svg width="100%"/>',
      'data:image/png;base64,A',
      'https://cdn.example/ada.png',
      '',
    ];
    for (const [i, uri] of uris.entries()) {
      const text = 'insert into users (wallet, pfp_url, created_at, updated_at) values ($1, $2, 1, 1)';
      await client.query(text, [`0x${i}`, uri]);
    }
    const [, block] = /execute\(`(do \$\$[\s\S]*?end \$\$)`\)/.exec(readFileSync(FILE, 'utf8')) as unknown as string[];
    await client.query(block as string);
    const { rows } = await client.query('select pfp_url as url from users order by wallet');
    const paths = uris.slice(0, 4).map((uri) => `/images/${decodeImage(uri)?.digest}`);
    expect(rows.map(({ url }) => url)).toEqual([...paths, '', 'https://cdn.example/ada.png', '']);
    const { rows: images } = await client.query('select digest, media_type as type from images');
    expect(new Set(images.map(({ digest }) => `/images/${digest}`))).toEqual(new Set(paths));
    expect(images.map(({ type }) => type).sort()).toEqual([
      'image/jpeg',
      'image/png',
      'image/svg+xml',
      'image/svg+xml',
    ]);
  } finally {
    await client.end();
  }
});
