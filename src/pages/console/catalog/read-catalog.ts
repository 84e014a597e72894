import type { Client } from '@urql/core';
import { CatalogExport, type CatalogExportQuery } from '../generated/catalog.ts';

type Page = CatalogExportQuery['inventory'];

async function readPage(client: Client, after: string | null): Promise<Page> {
  const { data, error } = await client.query(CatalogExport, { after }, { requestPolicy: 'network-only' }).toPromise();
  if (!data) throw error ?? new Error('The catalog cannot be read');
  return data.inventory;
}

/** The whole catalog, read page by page from the server. Throws if it cannot be read. */
export async function readCatalog(client: Client): Promise<Page['nodes']> {
  const items: Page['nodes'] = [];
  for (let after: string | null = null, more = true; more; ) {
    const { nodes, pageInfo }: Page = await readPage(client, after);
    items.push(...nodes);
    ({ endCursor: after, hasNextPage: more } = pageInfo);
  }
  return items;
}
