import type { EntitySchemaWithMeta } from '@mikro-orm/core';
import type { EntityManager, InferKyselyTable } from '@mikro-orm/postgresql';
import {
  AliasNode,
  ColumnNode,
  IdentifierNode,
  type Kysely,
  type KyselyPlugin,
  OperationNodeTransformer,
  ReferenceNode,
  SelectionNode,
} from 'kysely';

/**
 * The tables of the database by entity name, with their columns by property name. Each entity file adds its own table:
 *
 * @example
 * declare module './database.ts' {
 *   interface Database {
 *     Receipt: TableOf<typeof ReceiptSchema>;
 *   }
 * }
 */
// biome-ignore lint/suspicious/noEmptyInterface: entity files add their tables to it.
export interface Database {}

const NAMES = { tableNamingStrategy: 'entity', columnNamingStrategy: 'property' } as const;

/** The columns of an entity's table, as the query builder types them. */
export type TableOf<Schema extends EntitySchemaWithMeta> = InferKyselyTable<Schema, typeof NAMES>;

/** The columns of an entity's table by property name, in the order of the entity. */
export const columnsOf = <Schema extends EntitySchemaWithMeta>(
  schema: Schema & { readonly meta: { readonly properties: object } },
): readonly (keyof TableOf<Schema> & string)[] =>
  Object.keys(schema.meta.properties) as (keyof TableOf<Schema> & string)[];

/** The typed query builder of an entity manager. It uses the entity manager's transaction, if there is one. */
export const queryBuilderOf = (em: EntityManager): Kysely<Database> =>
  (em.getKysely<Database>(NAMES) as unknown as Kysely<Database>).withPlugin(new SelectByPropertyName());

/**
 * Adds the property name as the alias of each selected column: no plugin renames the rows of prepared statements and
 * CTEs. Runs after the entity manager's plugin, which replaces property names by column names.
 */
class SelectByPropertyName extends OperationNodeTransformer implements KyselyPlugin {
  transformQuery({ node, queryId }: Parameters<KyselyPlugin['transformQuery']>[0]) {
    return this.transformNode(node, queryId);
  }

  async transformResult({ result }: Parameters<KyselyPlugin['transformResult']>[0]) {
    return result;
  }

  protected override transformSelection({ selection }: SelectionNode): SelectionNode {
    const column = columnNameOf(selection);
    const property = column?.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
    return column === property
      ? super.transformSelection(SelectionNode.create(selection))
      : SelectionNode.create(AliasNode.create(selection, IdentifierNode.create(property as string)));
  }
}

function columnNameOf(selection: SelectionNode['selection']): string | undefined {
  if (ColumnNode.is(selection)) return selection.column.name;
  if (ReferenceNode.is(selection) && ColumnNode.is(selection.column)) return selection.column.column.name;
  return undefined;
}
