import { expect, onTestFinished, test } from 'vitest';
import { decodeImage, imagePath } from '../../src/base/records/images/data-uri.ts';
import { pngOf } from '../support/picture.ts';
import { startTestServer } from '../support/server.ts';

/** The address and the data URI of a picture of its own. */
function picture(text: string) {
  const uri = pngOf(text);
  return { path: imagePath(decodeImage(uri)!.digest), uri };
}

async function open() {
  const server = await startTestServer();
  onTestFinished(() => server.stop());
  const merchant = await server.merchant();
  const save = (body: object) => server.call('POST', '/api/inventory', { headers: merchant.auth, body });
  const statusOf = async ({ path }: { path: string }) => (await fetch(server.url + path)).status;
  return { server, merchant, save, statusOf };
}

test('a picture of a product that was replaced, or whose product is deleted, is not stored any more', async () => {
  const { server, merchant, save, statusOf } = await open();
  const pictures = ['a', 'b', 'c'].map(picture);
  for (const { uri } of pictures)
    expect((await save({ sku: 'A', name: 'A', priceUsd: 1, thumb: uri })).status).toBe(200);
  expect(await Promise.all(pictures.map(statusOf))).toEqual([404, 404, 200]);
  expect((await save({ sku: 'A', priceUsd: 2 })).status).toBe(200);
  const { body } = await server.call('GET', '/api/inventory', { headers: merchant.auth });
  const [{ id }] = body.items;
  expect((await server.call('DELETE', `/api/inventory?id=${id}`, { headers: merchant.auth })).status).toBe(200);
  // Another process has no copy of it.
  const [row] = await server.deps.db.orm.em.fork().getConnection().execute('select count(*)::int as n from images');
  expect(row).toEqual({ n: 0 });
});

test('the picture of a save that is refused is not stored', async () => {
  const { save, statusOf } = await open();
  const refused = picture('refused');
  expect((await save({ sku: 'NEW', thumb: refused.uri })).status).toBe(400);
  expect(await statusOf(refused)).toBe(404);
});

test('one picture of two products is served as long as one of them has it', async () => {
  const { save, statusOf } = await open();
  const shared = picture('shared');
  for (const sku of ['A', 'B']) await save({ sku, name: sku, priceUsd: 1, thumb: shared.uri });
  await save({ sku: 'A', thumb: null });
  expect(await statusOf(shared)).toBe(200);
});
