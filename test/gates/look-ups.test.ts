import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { entities } from '../../src/app/entities.ts';
import { createOrm } from '../../src/base/platform/orm.ts';
import { queryBuilderOf } from '../../src/base/platform/postgres/database.ts';
import { LOOK_UP_SETTINGS } from '../../src/base/platform/postgres/pipelined-connection.ts';
import { testDatabase } from '../support/database.ts';
import { nodesOf, type PlanNode } from '../support/plan-nodes.ts';
import { everyQuery } from './statements.ts';

/** The tables that have one row. */
const SINGLE = ['stream_epoch'];

/** A node reads a whole table, or joins as one would that does. */
const readsAll = (node: PlanNode): boolean =>
  /^(Hash|Merge) Join$/.test(node['Node Type']) ||
  (node['Relation Name'] !== undefined &&
    !SINGLE.includes(node['Relation Name']) &&
    (node['Node Type'] === 'Seq Scan' || (node['Node Type'].startsWith('Index') && !node['Index Cond'])));

test('the kept plan of a look-up by key finds each key in an index, also if it was made while the tables were empty', async () => {
  const databaseUrl = await testDatabase();
  const orm = await createOrm(databaseUrl, entities);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  onTestFinished(() => Promise.all([client.end(), orm.close()]).then(() => {}));
  await client.query(LOOK_UP_SETTINGS);
  const lookUps = (await everyQuery()).filter((query) => 'parts' in query);
  expect(lookUps.length).toBeGreaterThan(8);
  for (const query of lookUps) {
    const { text } = query.compile(() => queryBuilderOf(orm.em));
    const { rows } = await client.query(`explain (generic_plan, format json) ${text}`);
    const nodes = nodesOf(rows[0]['QUERY PLAN'][0].Plan);
    expect([query.name, nodes.filter(readsAll)]).toEqual([query.name, []]);
  }
});
